# Killed at any moment, a release leaves no number without its charge: who has seen an answer finds it charged and stored.
dpnoise example census --rows 20000 --output people.csv >/dev/null
dpnoise budget init people --epsilon 1000 >/dev/null
/usr/bin/python3 - <<'END'
import json
import os
import random
import subprocess
import time

runs = 300 if os.environ.get("DPN_LONG") == "1" else 10
random.seed(9)


def ask(i, seconds):
    """What was seen before the kill."""
    words = ["dpnoise", "release", "people.csv", "--count", "--mean", f"income:0:{i + 1}", "--epsilon", "1", "--json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    return process.communicate()[0]


start = time.monotonic()
seen = {0: ask(0, None)}
whole = time.monotonic() - start
for i in range(1, runs):
    seen[i] = ask(i, 1.2 * whole * random.random())
answers = {i: json.loads(text)["rows"] for i, text in seen.items() if text.endswith(b"\n")}
shown = json.loads(subprocess.run(["dpnoise", "budget", "show", "people", "--json"], capture_output=True).stdout)
assert sum(bool(text) for text in seen.values()) <= shown["charges"] <= runs, shown
for i, rows in answers.items():
    again = json.loads(ask(i, None))
    assert again["stored"] and again["rows"] == rows, i
END
dpnoise budget verify >/dev/null
