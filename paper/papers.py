"""Recompute what the papers print, and write the pages.

usage: papers.py DPNOISE PAGES SCRATCH [--fresh] [--only PAGE,PAGE...]
       papers.py DPNOISE PAGES SCRATCH --quick

Answers of the tool are remembered in SCRATCH; --fresh asks anew, except for those kept in paper/kept. --only writes these
pages and the summary. --quick runs the items marked quick from nothing, compares them with PAGES and prints TAP.
"""
import argparse
import collections
import importlib
import math
import pathlib
import sys
import tempfile
import time

import book
from cache import Cache

PAGES = {  # page: (title, what it is about)
    "fh": ("FH: the flipped Huber mechanism", "G. Muthukrishnan and S. Kalyani, *Grafting Laplace and Gaussian distributions: a new noise "
           "mechanism for differential privacy* (2023). Figures that the talk shows again are here."),
    "talk": ("The talk on FH", "The slides of FH's authors, with i.n.i.d. noise and improved DP-CD beside FH."),
    "inid": ("INID: non-identical additive noise", "G. Muthukrishnan and S. Kalyani, *Differential privacy with higher utility by "
             "exploiting coordinate-wise disparity* (2023)."),
    "osgt": ("OSGT: offset-symmetric Gaussian tails", "P. Sadeghi and M. Korki, *Offset-symmetric Gaussians for differential privacy* (2022)."),
    "kn": ("KN: K-norm mechanisms", "J. Awan and A. Slavkovic, *Structure and sensitivity in differential privacy: comparing K-norm "
           "mechanisms* (2021)."),
    "errata": ("Errata", "What differs from the papers in print, each with what comes out and why. Every one of these papers taught this "
               "library its mechanisms; a list of slips is what a careful recomputation leaves over, and most of them do not touch a result. "
               "Corrections to this page are as welcome."),
    "beyond": ("Beyond the papers", "What exact accounting adds to each of the papers, in the same form."),
}


def build(names, cache, figures, quick=False, say=lambda words: None):
    """{page: [Item]}, in the order of items.tsv."""
    listed = {e.id: e for e in book.entries()}
    order = list(listed)
    made = {}
    for page in names:
        chapter = importlib.import_module(f"chapters.{page}")
        found = [f for module in getattr(chapter, "PARTS", [chapter]) for f in book.items_of(module)]
        found = [f for f in found if f.quick or not quick]
        unknown = [f.item for f in found if f.item not in listed or listed[f.item].page != page]
        if unknown:
            raise SystemExit(f"paper: items.tsv does not list {unknown} on the page {page}")
        made[page] = []
        for n, function in enumerate(sorted(found, key=lambda f: order.index(f.item))):
            began, runs = time.monotonic(), cache.runs
            one = book.Item(listed[function.item], cache, figures)
            function(one)
            made[page].append(one)
            say(f"{page} {n + 1}/{len(found)}  {function.item}: {cache.runs - runs} commands run, {time.monotonic() - began:.1f} s")
    return made


def write_page(directory, page, items):
    title, about = PAGES[page]
    head = [f"# {title}", "", about, "", "Written by `./dev paper`; [the summary](README.md) explains the verdicts.", "",
            "| item | verdict |", "|---|---|"]
    head += [f"| [{i.entry.name}](#{i.entry.id}) | {i.decided[0]} |" for i in items]
    (directory / f"{page}.md").write_text("\n".join(head) + "\n\n" + "\n".join(i.markdown() for i in items))


def write_summary(directory):
    """The summary counts what the pages say."""
    counts = {page: collections.Counter(s.verdict for s in book.sections(directory / f"{page}.md").values())
              for page in PAGES if (directory / f"{page}.md").exists()}
    lines = (pathlib.Path(__file__).resolve().parent / "summary.md").read_text()
    table = ["| page | items | " + " | ".join(book.VERDICTS) + " |", "|---|" + "---|" * (len(book.VERDICTS) + 1)]
    for page, count in counts.items():
        table.append(f"| [{PAGES[page][0]}]({page}.md) | {sum(count.values())} | " + " | ".join(str(count[v]) for v in book.VERDICTS) + " |")
    total = sum(counts.values(), collections.Counter())
    table.append(f"| **all** | **{sum(total.values())}** | " + " | ".join(f"**{total[v]}**" for v in book.VERDICTS) + " |")
    (directory / "README.md").write_text(lines.replace("{counts}", "\n".join(table)))


def near(a, b):
    """Whether two cells say the same to five digits."""
    try:
        return math.isclose(float(a), float(b), rel_tol=1e-5, abs_tol=1e-300)
    except ValueError:
        return a == b


def compare_quick(made, pages):
    """TAP: each quick item, fresh, against the page."""
    number = failed = 0
    for page, items in made.items():
        there = book.sections(pages / f"{page}.md")
        for one in items:
            number += 1
            section = there.get(one.entry.id)
            why = "the page lacks it" if section is None else ""
            if section and section.verdict != one.decided[0]:
                why = f"the page says '{section.verdict}', now it is '{one.decided[0]}'"
            if section and len(section.rows) != len(one.rows):
                why = "other rows than on the page"
            for ours, said in zip(one.rows, section.rows if section else []):
                if (ours[0], ours[1], ours[3]) != (said[0], said[1], said[3]) or not near(ours[2], said[2]):
                    why = f"{ours} now, {said} on the page"
            for name, _ in one.pictures:
                if not (pages / name).exists():
                    why = f"{name} is missing"
            print(f"{'not ok' if why else 'ok'} {number} - {one.entry.id}" + (f"\n# {why}" if why else ""))
            failed += bool(why)
    print(f"1..{number}")
    return 1 if failed or not number else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("pages", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--only", default=",".join(PAGES))
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    if given.quick:
        with tempfile.TemporaryDirectory() as scratch:
            made = build(PAGES, Cache(given.tool, scratch, use=False), scratch, quick=True)
            return compare_quick(made, given.pages)
    given.pages.mkdir(parents=True, exist_ok=True)
    names, began = given.only.split(","), time.monotonic()
    cache = Cache(given.tool, given.scratch / "cache", use=not given.fresh)
    for page in names:
        made = build([page], cache, given.pages, say=lambda words: print(f"paper     {words}", flush=True))
        write_page(given.pages, page, made[page])
    write_summary(given.pages)
    print(f"paper     {cache.runs} commands run, {cache.hits} remembered, {time.monotonic() - began:.0f} s; see {given.pages}/README.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
