from __future__ import annotations

import pytest
import yaml
from template_examples import FIXTURES

from quota_verifier.errors import InputError
from quota_verifier.template import read_queue

FILES = sorted((FIXTURES / "bad").glob("*.yaml"))
WORDED_BY_LIBYAML = {"malformed", "two_documents"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_bad_file_gives_the_message_in_its_first_line(file):
    if file.stem in WORDED_BY_LIBYAML and not yaml.__with_libyaml__:
        pytest.skip("wording of libyaml")
    expected = file.read_text().splitlines()[0].removeprefix("# ")
    assert expected.startswith("FILE:")
    with pytest.raises(InputError) as raised:
        read_queue(file)
    assert str(raised.value).replace(str(file), "FILE") == expected
