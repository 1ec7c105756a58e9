"""The pages: one a paper, an item for each theorem, table and figure, with what is printed, what comes out, a verdict and the command.

A chapter is a module with functions marked @item("id"); ids, names and pages stand in items.tsv. The function gets an Item:

    @item("fh-fig6", quick=True)
    def figure_6(i):
        law = i.json("calibrate", "flipped-huber", "--variance", "16", "--scale", "7")["law"]
        i.row("alpha", "17.2379", i.json("law", law)["parameters"]["alpha"])
        i.figure("fh-fig6.svg", plot.draw(...), "What is to be seen.")
        i.verdict("reproduced", "One sentence or more.")

Commands are recorded as they run. quick items are run from nothing by ./dev test and compared with the page.
"""
import decimal
import json
import math
import pathlib
import re
import shlex

HERE = pathlib.Path(__file__).resolve().parent
VERDICTS = ["reproduced", "misprint", "not determined by the paper", "not reproduced", "improved upon"]
SHOWN = 4  # commands that stand in the open; more of them are folded


# ---- Numbers as they are printed ----
def number(text):
    """The value of a printed number and half a unit of its last digit."""
    digits, _, exponent = text.lower().partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return float(text), unit / 2


def agrees(text, ours):
    """Whether a number rounds to the printed one."""
    value, half = number(text)
    return abs(ours - value) <= half * (1 + 1e-9)


def shown(value, digits=7):
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    return f"{value:.{digits}g}"


class Seq:
    """Numbers from first to last, as the shell's seq prints them: in commands they stand as $(seq -s, ...)."""

    def __init__(self, first, step, last):
        self.words = (first, step, last)
        first, step, last = map(decimal.Decimal, self.words)
        digits = decimal.Decimal(10) ** min(first.as_tuple().exponent, step.as_tuple().exponent)
        self.texts = [str((first + n * step).quantize(digits)) for n in range(int((last - first) / step) + 1)]
        self.values = [float(t) for t in self.texts]

    def __str__(self):
        return ",".join(self.texts)

    def shown(self):
        return "$(seq -s, " + " ".join(self.words) + ")"


# ---- The list of all items ----
class Entry:
    def __init__(self, line):
        self.id, self.page, self.kind, self.mark, self.where, self.name = line.split("\t")


def entries(path=HERE / "items.tsv"):
    lines = [line for line in pathlib.Path(path).read_text().splitlines() if line and not line.startswith("#")]
    return [Entry(line) for line in lines]


def item(name, quick=False):
    def mark(function):
        function.item, function.quick = name, quick
        return function
    return mark


def items_of(module):
    return [f for f in vars(module).values() if callable(f) and hasattr(f, "item") and f.__module__ == module.__name__]


# ---- One item ----
class Item:
    def __init__(self, entry, cache, figures):
        self.entry, self.cache, self.figures = entry, cache, pathlib.Path(figures)
        self.rows, self.pictures, self.texts, self.commands, self.decided = [], [], [], [], None

    def _note(self, arguments, files, keep):
        words = [a.shown() if isinstance(a, Seq) else shlex.quote(str(a)) for a in arguments]
        self.commands.append((" ".join(["dpnoise", *words]), files or {}, keep))

    def run(self, *arguments, files=None, keep=False, fails=False, show=True):
        """What a command prints. files: those it reads, {name: text}. keep: it takes long, or draws; its answer is kept.
        fails: it is refused, and the words are the answer. show=False: the page shows a command that says the same."""
        if show:
            self._note(arguments, files, keep)
        return self.cache.run([str(a) for a in arguments], files=files, keep=keep, fails=fails)

    def json(self, *arguments, **options):
        return json.loads(self.run(*arguments, "--json", **options))

    def all(self, several, keep=False, show=True, files=None):
        """The JSON of several commands, run side by side."""
        several = [[*arguments, "--json"] for arguments in several]
        if show:
            for arguments in several:
                self._note(arguments, files, keep)
        several = [[str(a) for a in arguments] for arguments in several]
        return [json.loads(answer) for answer in self.cache.all(several, keep=keep, files=files)]

    def laws(self, texts, *options):
        answer = self.json("law", *texts, *options)
        return answer.get("laws", [answer])

    def picture(self, name, *arguments, caption, files=None):
        """A figure that the tool itself draws with --plot."""
        arguments = [*map(str, arguments), "--plot", name]
        self._note(arguments, files, False)
        self.figure(name, self.cache.run(arguments, files=files, out=name), caption)

    def figure(self, name, svg, caption):
        self.figures.mkdir(parents=True, exist_ok=True)
        (self.figures / name).write_text(svg)
        self.pictures.append((name, caption))

    def row(self, what, printed, ours, holds=None, otherwise="not reproduced", digits=7):
        """A value beside the printed one. printed None: the paper prints no number. holds: whether it does, where the
        printed is not a number; otherwise: the verdict if it does not."""
        if printed is None:
            self.rows.append((what, "-", shown(ours), "-"))
            return
        holds = agrees(printed, ours) if holds is None else holds
        self.rows.append((what, printed, shown(ours, digits), "reproduced" if holds else otherwise))

    def text(self, words):
        self.texts.append(words)

    def verdict(self, word, why):
        self.decided = (word, why)

    # ---- As it stands on the page ----
    def _block(self, commands):
        lines, seen = [], set()
        for command, files, keep in commands:
            for name, text in files.items():
                if callable(text):
                    if name not in seen:
                        lines.append(f"# {name} is made by paper/tables.py")
                    seen.add(name)
                    continue
                if (name, text) not in seen and len(text) < 600:
                    quoted = shlex.quote(text.rstrip("\n").replace("\n", "\\n"))
                    lines.append(f"printf {quoted[:-1]}\\n' >{name}" if quoted.endswith("'") else f"printf '{quoted}\\n' >{name}")
                elif (name, text) not in seen:
                    lines.append(f"# {name}: {text.count(chr(10))} lines, made by paper/chapters/{self.entry.page}.py")
                seen.add((name, text))
            if keep:
                lines.append("# long, or of random draws: paper/kept holds this answer")
            lines.append(command)
        return "\n".join(["```sh", *lines, "```"])

    def markdown(self):
        word, why = self.decided
        mark = " `?`" if self.entry.mark == "?" else ""
        out = [f'<a id="{self.entry.id}"></a>', "", f"## {self.entry.name}{mark}", "", f"**Verdict: {word}.** {why}".rstrip(), ""]
        for words in self.texts:
            out += [words, ""]
        if self.rows:
            out += ["| what | printed | ours | verdict |", "|---|---|---|---|"]
            out += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.rows] + [""]
        for name, caption in self.pictures:
            out += [f"![{self.entry.name}]({name})", "", caption, ""]
        commands = list({c[0]: c for c in self.commands}.values())
        if len(commands) > SHOWN + 1:
            out += [self._block(commands[:SHOWN]), "", f"<details><summary>{len(commands) - SHOWN} more commands</summary>", "",
                    self._block(commands[SHOWN:]), "", "</details>", ""]
        elif commands:
            out += [self._block(commands), ""]
        return "\n".join(out)


# ---- Pages read back ----
class Section:
    """An item as a page says it."""

    def __init__(self, text):
        self.text = text
        self.id = re.search(r'<a id="([^"]+)"></a>', text).group(1)
        found = re.search(r"^\*\*Verdict: ([^.*]+)\.\*\*", text, re.M)
        self.verdict = found.group(1) if found else None
        self.rows = []
        table = re.search(r"^\| what \| printed \| ours \| verdict \|\n\|[-|]+\n((?:\|.*\n)*)", text, re.M)
        for line in table.group(1).splitlines() if table else []:
            cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]]
            self.rows.append(tuple(cells))
        self.figures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)
        self.blocks = re.findall(r"```sh\n(.*?)\n```", text, re.S)


def sections(page):
    """The items of a page, {id: Section}."""
    parts = re.split(r'(?m)^(?=<a id=")', pathlib.Path(page).read_text())
    return {s.id: s for s in (Section(p) for p in parts if p.startswith("<a id="))}
