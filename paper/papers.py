"""Recompute what the papers print: one chapter a paper, all onto one page.

usage: papers.py DPNOISE DIRECTORY
"""
import sys

import chapters.fh
import chapters.inid
import chapters.kn
import chapters.osgt
import chapters.talk
from book import Book

CHAPTERS = [chapters.fh, chapters.talk, chapters.osgt, chapters.inid, chapters.kn]


def main():
    book = Book(sys.argv[1], sys.argv[2])
    for chapter in CHAPTERS:
        chapter.write(book)
    book.write()
    for item, printed, _, ours, good, _ in book.values:
        print(f"  {item:58} {printed:>12} {ours:>17.10g}  {'agrees' if good else 'DIFFERS'}")
    bad = len(book.differing())
    print(f"\n{len(book.values) - bad} values agree with the printed (or reference) ones, {bad} differ; "
          f"{len(book.figures)} figures; {len(book.missing)} items need what is not built yet.")
    print(f"The page: {book.directory}/README.md")
    return 1 if bad else 0


sys.exit(main())
