from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from template_examples import queues, template_of, without_sources

from quota_verifier.documents import dump_yaml
from quota_verifier.template import queue_document, read_queue

forms = st.sampled_from([("json", json.dumps), ("yaml", dump_yaml), ("yaml", json.dumps)])


def _written(directory, form, data):
    suffix, dump = form
    file = directory / f"queue.{suffix}"
    file.write_text(dump(data), encoding="utf-8")
    return file


@settings(deadline=None)
@given(queue=queues(), form=forms)
def test_a_queue_written_as_a_queue_file_reads_back_as_itself(tmp_path_factory, queue, form):
    file = _written(tmp_path_factory.mktemp("round"), form, queue_document(queue))
    assert without_sources(read_queue(file)) == queue


@settings(deadline=None)
@given(queue=queues(), form=forms)
def test_a_queue_declared_in_a_template_reads_as_itself(tmp_path_factory, queue, form):
    file = _written(tmp_path_factory.mktemp("round"), form, template_of(queue))
    assert without_sources(read_queue(file)) == queue


@settings(deadline=None)
@given(queue=queues())
def test_reading_keeps_the_order_of_shares_and_units(tmp_path_factory, queue):
    file = _written(tmp_path_factory.mktemp("round"), ("yaml", dump_yaml), queue_document(queue))
    found = read_queue(file)
    assert [share.name for share in found.shares] == [share.name for share in queue.shares]
    assert [list(share.limits) for share in found.shares] == [list(share.limits) for share in queue.shares]
    assert found.units == queue.units
