"""Do the pages hold every item? Prints what is missing.

usage: check.py PAGES ITEMS.tsv PUBLISHED.tsv
       check.py PAGES ITEMS.tsv PUBLISHED.tsv --run DPNOISE      and run one command of each item

Every item of ITEMS has its place on its page, a known verdict, a command, a figure if it is one; "not determined by the
paper" is for items that are marked ?. Every line of PUBLISHED (item, row, printed, whether ours agrees) is a row of that
item, with a number that agrees, or does not, at the printed precision.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import book


def published(path):
    return [line.split("\t") for line in pathlib.Path(path).read_text().splitlines() if line and not line.startswith("#")]


def problems(pages, items, claims):
    """A sentence for each."""
    pages = pathlib.Path(pages)
    listed = book.entries(items)
    said = {}
    for page in dict.fromkeys(e.page for e in listed):
        if not (pages / f"{page}.md").exists():
            yield f"the page {page}.md is missing"
            continue
        here = book.sections(pages / f"{page}.md")
        said.update(here)
        for stranger in set(here) - {e.id for e in listed if e.page == page}:
            yield f"{page}.md has '{stranger}', which the list does not"
    for e in listed:
        section = said.get(e.id)
        if section is None:
            yield f"{e.id}: {e.page}.md lacks it"
            continue
        if section.verdict not in book.VERDICTS:
            yield f"{e.id}: the verdict is '{section.verdict}'"
        if section.verdict == "not determined by the paper" and e.mark != "?":
            yield f"{e.id}: the paper determines it"
        if not any(line.startswith("dpnoise ") for block in section.blocks for line in block.splitlines()):
            yield f"{e.id}: no command"
        if e.kind == "figure" and not section.figures:
            yield f"{e.id}: no figure"
        for name in section.figures:
            file = pages / name
            if not file.exists() or "</svg>" not in file.read_text():
                yield f"{e.id}: the figure {name} is missing"
        for what, printed, ours, verdict in section.rows:
            if verdict not in [*book.VERDICTS, "-"]:
                yield f"{e.id}: the verdict of '{what}' is '{verdict}'"
            if (verdict == "-") != (printed == "-"):
                yield f"{e.id}: '{what}' is printed {printed}, verdict {verdict}"
            if verdict == "reproduced" and numeric(printed) and numeric(ours) and not agrees(printed, ours):
                yield f"{e.id}: '{what}' is printed {printed}, ours {ours}, and called reproduced"
        if section.verdict == "reproduced" and any(row[3] not in ("reproduced", "-") for row in section.rows):
            yield f"{e.id}: reproduced, but not every row is"
    for name, what, printed, answer in claims:
        rows = [row for row in said[name].rows if row[0] == what] if name in said else []
        if len(rows) != 1:
            yield f"{name}: {len(rows)} rows are called '{what}'"
            continue
        _, there, ours, verdict = rows[0]
        if there != printed:
            yield f"{name}: '{what}' is printed {printed}, the page says {there}"
        if numeric(printed) and numeric(ours) and agrees(printed, ours) != (answer == "yes"):
            yield f"{name}: '{what}', printed {printed}, ours {ours}: agreement should be '{answer}'"
        if (verdict == "reproduced") != (answer == "yes"):
            yield f"{name}: '{what}' should agree: {answer}, the page says '{verdict}'"


def numeric(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def agrees(printed, ours):
    """ours stands on the page with seven digits, or more: allow for half a unit of the last."""
    value, half = book.number(printed)
    digits = len(ours.lower().partition("e")[0].replace(".", "").lstrip("-0"))
    return abs(float(ours) - value) <= half * (1 + 1e-9) + abs(float(ours)) * (5e-7 if digits <= 7 else 5e-9)


def first_command(section):
    """The lines that run the first command of an item that is not kept, with the files before it."""
    for block in section.blocks:
        before, kept = [], False
        for line in block.splitlines():
            if line.startswith("# long"):
                kept = True
            elif line.startswith("printf "):
                before.append(line)
            elif line.startswith("dpnoise "):
                if not kept:
                    return "\n".join([*before, line])
                kept = False
    return None


def run(pages, items, tool, number=0):
    """TAP: one command of each item, numbered after the number."""
    tool, failed = pathlib.Path(tool).resolve(), 0
    for page in dict.fromkeys(e.page for e in book.entries(items)):
        for name, section in book.sections(pathlib.Path(pages) / f"{page}.md").items():
            number += 1
            command = first_command(section)
            if command is None:
                print(f"not ok {number} - {name}\n# every command of it is kept")
                failed += 1
                continue
            with tempfile.TemporaryDirectory() as where:
                os.symlink(tool, pathlib.Path(where) / "dpnoise")
                done = subprocess.run(["sh", "-c", command], cwd=where, capture_output=True, text=True,
                                      env=dict(os.environ, PATH=f"{where}:{os.environ['PATH']}"))
            refused = done.returncode and "is refused" not in section.text
            print(f"{'not ok' if refused else 'ok'} {number} - {name}")
            if refused:
                print("# " + command.replace("\n", "\n# ") + "\n# " + done.stderr.strip()[:300])
            failed += bool(refused)
    print(f"1..{number}")
    return 1 if failed or not number else 0


def main():
    pages, items, claims = sys.argv[1:4]
    if sys.argv[4:5] == ["--run"]:
        return run(pages, items, sys.argv[5])
    found = list(problems(pages, items, published(claims)))
    for words in found:
        print(words)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
