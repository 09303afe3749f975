# Two commands for a newcomer: `make verify` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE_BIN := $(CURDIR)/$(BIN)
WORKERS ?= 2
SAGEMAKER := .venv-sagemaker
BROWSER := .cache/browser
TEMPLATE := cdk.out/QuotaSharesDemo.template.json
export PATH := $(NODE_BIN):$(PATH)
export PYTHONDONTWRITEBYTECODE := 1
export NUMBA_CACHE_DIR ?= $(CURDIR)/.cache/numba

.PHONY: setup sagemaker verify test test-long check diff format lock bench clean

setup: $(VENV)/.ready node_modules/.ready

$(VENV)/.ready: requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "quota-shares needs Python 3.11 or newer, this is " + sys.version.split()[0] + ". Name another one: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

node_modules/.ready: package.json package-lock.json | $(VENV)/.ready
	$(BIN)/npm ci --no-audit --no-fund --loglevel=error
	touch $@

# The SageMaker Python SDK brings 2 GB with it: an environment of its own, for `make test` and the notebook only.
sagemaker: $(SAGEMAKER)/.ready

$(SAGEMAKER)/.ready: requirements-sagemaker.txt pyproject.toml | $(VENV)/.ready
	$(PYTHON) -m venv $(SAGEMAKER)
	@echo "installing the SageMaker Python SDK into $(SAGEMAKER): 2 GB, about four minutes"
	@$(SAGEMAKER)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-sagemaker.txt || { \
		echo 'make: cannot install $(SAGEMAKER): see above what pip could not reach or build. Run `make test` again, or' >&2; \
		echo 'make: leave the tests with the SageMaker Python SDK out: make test QUOTA_SHARES_WITHOUT_SAGEMAKER=1' >&2; exit 1; }
	touch $@

# The headless browser that the tests of the HTML report drive: npm packages of its own, no root, no download besides.
$(BROWSER)/chromium: tools/browser/package-lock.json tools/browser/unpack.mjs | $(VENV)/.ready
	$(BIN)/npm ci --prefix tools/browser --ignore-scripts --no-audit --no-fund --loglevel=error
	$(BIN)/node tools/browser/unpack.mjs $(BROWSER)

verify: setup
	npx --no-install cdk synth --quiet
	$(BIN)/quota-shares lint $(TEMPLATE)
	$(BIN)/quota-shares verify $(TEMPLATE) --policy policies/*.yaml

test: check $(if $(QUOTA_SHARES_WITHOUT_SAGEMAKER),,sagemaker) $(BROWSER)/chromium
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

# 100,000 worlds for each property of the scheduler and for the equality of the engines: hours, not minutes.
test-long: setup
	QUOTA_SHARES_PROFILE=long $(BIN)/python -m pytest -n $(WORKERS) tests/scheduler/test_scheduler_properties.py tests/kernel/test_kernel_equality.py

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright --level error

diff: setup
	@test -n "$(OLD)" && test -n "$(NEW)" || { echo 'usage: make diff OLD=old.template.json NEW=new.template.json [ARGS="--workload FILE"]' >&2; exit 2; }
	$(BIN)/quota-shares diff $(OLD) $(NEW) $(ARGS)

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock:
	$(PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv
	.venv-lock/bin/uv pip compile --universal --python-version 3.11 --upgrade --no-header requirements.in -o requirements.txt
	.venv-lock/bin/uv pip compile --universal --python-version 3.11 --upgrade --no-header requirements-sagemaker.in -o requirements-sagemaker.txt
	rm -rf .venv-lock

bench: setup
	$(BIN)/python -m benchmarks.run

clean:
	rm -rf $(VENV) $(SAGEMAKER) node_modules cdk.out build .pytest_cache .ruff_cache
