"""The Python blocks of the documents: each document is one session, and every block must run."""

import re

import pytest
from conftest import ROOT, optional

optional("pandas")

DOCUMENTS = ["README.md", "docs/python.md", "docs/uses.md"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_python_of_a_document_runs(name, monkeypatch, tmp_path):
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert blocks
    (tmp_path / "testdata").symlink_to(ROOT / "testdata")
    monkeypatch.chdir(tmp_path)
    session: dict[str, object] = {}
    for block in blocks:
        # Leading blank lines make the line numbers of errors match the document.
        before = "\n" * text.count("\n", 0, block.start(1))
        exec(compile(before + block[1], name, "exec"), session)
