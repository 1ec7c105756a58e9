"""Runs of the tool, each remembered by what went into it: its arguments and the files it reads. A file may be a function
that makes its text: it is then known by its name alone, and made only if the command has to run.

Answers lie in build/paper/cache, where a run that was interrupted goes on. Those that take long, or come out of random
draws, are kept in paper/kept and belong to the source: the pages are the same, byte for byte, wherever they are written.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import tempfile

KEPT = pathlib.Path(__file__).resolve().parent / "kept"


class Failed(Exception):
    """The tool refused: its own words."""


class Cache:
    def __init__(self, tool, scratch, use=True, workers=2):
        self.tool, self.scratch, self.use = str(pathlib.Path(tool).resolve()), pathlib.Path(scratch), use
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.workers, self.runs, self.hits = workers, 0, 0

    @staticmethod
    def key(arguments, files):
        text = json.dumps([list(arguments), sorted((name, "" if callable(text) else hashlib.sha256(text.encode()).hexdigest())
                                                   for name, text in files.items())])
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    def run(self, arguments, files=None, keep=False, fails=False, out=None):
        """What the tool prints, or what it writes into the file out. A kept answer is never asked for again; remove its
        file to ask anew."""
        files = files or {}
        name = self.key(arguments, files) + ".json"
        homes = [KEPT / name] if keep else [self.scratch / name]
        for home in homes:
            if home.exists() and (self.use or keep):
                self.hits += 1
                return json.loads(home.read_text())["answer"]
        with tempfile.TemporaryDirectory() as where:
            for file, text in files.items():
                (pathlib.Path(where) / file).write_text(text() if callable(text) else text)
            done = subprocess.run([self.tool, *arguments], capture_output=True, text=True, cwd=where)
            written = (pathlib.Path(where) / out).read_text() if out and not done.returncode else None
        if (done.returncode != 0) != fails:
            raise Failed(f"{shlex.join(arguments)[:400]}\n{done.stderr.strip()[:400]} (exit code {done.returncode})")
        self.runs += 1
        answer = written or (done.stderr or done.stdout if fails else done.stdout)
        homes[0].parent.mkdir(parents=True, exist_ok=True)
        partial = homes[0].with_suffix(f".{os.getpid()}.{self.runs}")
        partial.write_text(json.dumps({"command": shlex.join(["dpnoise", *arguments])[:2000], "answer": answer}, indent=0) + "\n")
        partial.replace(homes[0])
        return answer

    def all(self, several, **options):
        """The answers of several commands, on as many processors."""
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(lambda arguments: self.run(arguments, **options), several))
