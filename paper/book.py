"""The page that the papers are recomputed onto: values beside the printed ones, figures, and what cannot be done yet.

Every number comes out of the tool, `dpnoise law ... --json`; the page says which command made it. Figures are drawn by
`dpnoise law --plot` or, where they are not densities, by gnuplot from such numbers.
"""
import json
import pathlib
import shlex
import subprocess

# Colours that people with any colour vision tell apart (Okabe and Ito 2008); as in cli/kit/picture.c.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]

FONT = "Helvetica,Arial,sans-serif,13"
STYLE = f"""set terminal svg size 640,420 dynamic enhanced rounded background '#ffffff' font '{FONT}'
set border 3 lc '#444444'
set tics out nomirror
set format '%g'
set grid lt 1 lc '#e4e4e4' lw 0.7
set key top left reverse Left samplen 2
"""


def number(text):
    """The value of a printed number and half a unit of its last digit."""
    digits, _, exponent = text.lower().partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return float(text), unit / 2


def agrees(text, ours):
    """Whether a number rounds to the printed one."""
    value, half = number(text)
    return abs(ours - value) <= half * (1 + 1e-9)


class Book:
    def __init__(self, tool, directory):
        self.tool = str(pathlib.Path(tool).resolve())
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.values, self.figures, self.missing = [], [], []
        self.families = {f["family"] for f in self._run("law", "--list", "--json")["families"]}

    def _run(self, *arguments):
        done = subprocess.run([self.tool, *arguments], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr.strip() or f"dpnoise failed: {shlex.join(arguments)}")
        return json.loads(done.stdout)

    def laws(self, texts, *options):
        """What dpnoise says about several laws, in one call."""
        answer = self._run("law", *texts, *options, "--json")
        return answer.get("laws", [answer])

    def law(self, text, *options):
        return self.laws([text], *options)[0]

    # ---- The page ----
    def value(self, item, printed, ours, command, source="printed"):
        """A number beside the printed one; where the paper prints none, beside a reference of many digits."""
        self.values.append((item, printed, source, ours, agrees(printed, ours), command))

    def law_value(self, item, printed, text, member="variance", source="printed"):
        """A member of one law."""
        self.value(item, printed, self.law(text)[member], f"dpnoise law '{text}'", source)

    def plot(self, item, name, texts, caption):
        """A figure of densities."""
        file = self.directory / name
        self._run("law", *texts, "--plot", str(file), "--json")
        self.figures.append((item, name, caption, shlex.join(["dpnoise", "law", *texts, "--plot", name])))

    def draw(self, item, name, settings, curves, caption, command):
        """A figure of curves: (title, [(x, y), ...]), drawn by gnuplot."""
        script = [STYLE, settings]
        plots = []
        for i, (title, points) in enumerate(curves):
            script.append(f"$curve{i} << E\n" + "".join(f"{x!r} {y!r}\n" for x, y in points) + "E\n")
            plots.append(f"$curve{i} with lines lw 2 lc '{COLOURS[i % len(COLOURS)]}' title '{title}' noenhanced")
        script.append("plot " + ", \\\n".join(plots) + "\n")
        drawn = subprocess.run(["gnuplot", "--default-settings", "-"], input="".join(script), capture_output=True,
                               text=True)
        if drawn.returncode:
            raise SystemExit(f"gnuplot failed on {name}: {drawn.stderr}")
        (self.directory / name).write_text(drawn.stdout)
        self.figures.append((item, name, caption, command))

    def later(self, item, needs):
        """What this version cannot recompute, and why."""
        self.missing.append((item, needs))

    def differing(self):
        return [row for row in self.values if not row[4]]

    def write(self):
        def table(header, rows):
            lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
            return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"

        def code(text):
            return "`" + text.replace("|", "\\|") + "`"

        values = [(item, printed + ("" if source == "printed" else f" ({source})"), f"{ours:.10g}",
                   "agrees" if good else "**differs**", code(command))
                  for item, printed, source, ours, good, command in self.values]
        page = ["# The papers, recomputed", "",
                "Printed values beside ours, each with the command that makes it. A value agrees if ours rounds to the",
                "printed digits. Where a paper prints no number, ours stands beside a reference: the paper's formula",
                "evaluated with at least 25 digits.", "",
                "## Values", "", table(("item", "printed", "ours", "verdict", "command"), values), "## Figures", ""]
        for item, name, caption, command in self.figures:
            page += [f"### {item}", "", caption, "", f"![{item}]({name})", "", code(command), ""]
        page += ["## Not yet", "", table(("item", "needs"), self.missing)]
        (self.directory / "README.md").write_text("\n".join(page))
