import json
import os
import subprocess

import pytest

TOOL = os.environ.get("DPNOISE_TOOL", "dpnoise")


@pytest.fixture
def shell():
    """The same question to the command line: its JSON."""

    def ask(*words):
        done = subprocess.run([TOOL, *map(str, words), "--json"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return ask


@pytest.fixture
def ledger(tmp_path):
    import dpnoise

    with dpnoise.Ledger(tmp_path / "people.db", create=True) as made:
        yield made
