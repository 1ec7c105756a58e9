"""FH Table III by other accountings than the paper's, and with more settings, by `dpnoise fit --experiment`. What the paper prints and its own accounting are
in docs/paper/fh.md, the talk's improved DP-CD in docs/paper/talk.md, both written by ./dev paper.

usage: descent.py DPNOISE DATA PAGE.md [--trials N] [--answers DIRECTORY]

Reads the tables of DATA (shared data, see its README), makes the labels and columns of the papers, runs the experiments
and writes the page. Answers that DIRECTORY has are not asked for again. The experiments are NOT private: columns are
standardised and settings tuned on the rows.
"""
import argparse
import csv
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

from tables import derived, labelled

ACCOUNTINGS = ["zcdp", "exact"]
NOISES = ["gaussian", "flipped-huber"]

# Set: (kind, file, target and how it is made, columns left out, penalty, printed: Gaussian NMSE, test, FH NMSE, test)
SETS = {
    "Houses": ("logistic", "california_housing.csv", "longitude>=mean", [], "l2:0.1",
               ("0.6371e-3", "0.0391", "0.6165e-3", "0.0389")),
    "Wine quality": ("logistic", "wine_quality.csv", "is_red", ["quality"], "l2:0.0002",
                     ("0.2250", "0.0614", "0.1421", "0.0513")),
    "Pumpkin seeds": ("logistic", "pumpkin_seeds.csv", "class=cercevelik", [], "l2:0.1",
                      ("0.0255", "0.1224", "0.0189", "0.1152")),
    "Heart": ("logistic", "statlog_heart.csv", "heart_disease", [], "l2:0.1", ("0.2384", "0.1741", "0.1989", "0.1556")),
    "California": ("linear", "california_housing.csv", "median_house_value", [], "l1:0.01",
                   ("0.0479", "0.4532", "0.0465", "0.4298")),
    "Boston housing": ("linear", "boston_housing.csv", "medv", [], "l1:0.01", ("0.3579", "0.3743", "0.3406", "0.3253")),
    "Airfoil": ("linear", "airfoil_self_noise.csv", "scaled_sound_pressure_db", [], "l1:0.01",
                ("0.0206", "0.5161", "0.0190", "0.4558")),
    "Diabetes": ("linear", "diabetes.csv", "progression", [], "l1:0.1", ("0.2515", "0.5741", "0.1489", "0.4384")),
}

# Sets that are also tuned over 528 settings, and Wine at other penalties: (set, penalty, epsilon, more arguments)
FINE = ["Heart", "Boston housing", "Airfoil", "Diabetes"]
WINE = [("2e-4", "1"), ("2e-4", "100000"), ("0.002", "1"), ("0.01", "1")]

PAGE = """# Private coordinate descent: other accountings, more settings

Written by `paper/descent.py`; **not private**: columns are standardised and passes, step and clip tuned on the rows, as the papers do.

```sh
./dev build
python3 paper/descent.py build/dpnoise "$DPNOISE_DATA" docs/paper/descent.md
```

[FH Table III](fh.md#fh-table3) has what is printed beside ours by the paper's accounting, and says how the experiments are made; [the talk's improved DP-CD](talk.md#talk-improved) has noise of its own for each coefficient against the same for all. This
page has what those leave out.

## FH Table III by two other accountings
epsilon 1, delta 1/N^2, one row replaced, no constant, the last iterate (`--raw`). NMSE is |b - b*|^2/|b*|^2 with b* the fit without noise; the test error is the share of wrong
labels, or the sum of squares of residuals over that of the target. *Tuned* is the best mean over five runs of 75 settings; NMSE, test error and distance are means of {trials} fresh splits at that setting, with standard errors. *Noise* is the standard deviation of the noise on a sum of derivatives, in units of how far a row moves it.
Standardised columns have equal smoothness, so that `zcdp` and the paper's accounting are the same rule here.

| set | N | K | noise | accounting | tuned | NMSE | test | without noise | distance | passes | noise |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
{table}

Where passes are the same the noise of flipped-huber and of gaussian differs only where one or two passes are chosen: differences between the two families at more passes are those of tuning and of chance, here as in the paper. `exact` never
needs more noise than `zcdp` at the same passes (`tests/unit/learn/t-accounting.c`), and what it saves pays for more passes.

## Why ours is above the printed
The printed NMSE is the best mean of five trials over settings that are tuned on the same trials, so the column to hold against it is *tuned*, and *tuned* falls with the number of settings. Over 528 of them (`--fine`: passes 1 to 50, steps 0.05 to 1.5,
clips 0.03 to 10) it falls to the printed values on Heart and Airfoil and part of the way on Boston and Diabetes, while fresh splits at the setting that won are where they were: much of the difference is the choice, not the method.

| set | noise | printed NMSE | tuned over 75 | tuned over 528 | fresh splits at that setting |
| --- | --- | --- | --- | --- | --- |
{fine}

Wine is another matter. At the printed penalty of 2e-4 the coefficients without noise are so long that twenty passes from 0 do not reach them even with hardly any noise (epsilon 100000), so that no noise law can give the printed NMSE in
so few; at penalties between 0.002 and 0.01 both the printed NMSE and the printed test error are met. So the penalty of the table is probably not the one that was used, or is in another unit. Gaussian noise, `paper`:

| penalty | epsilon | printed NMSE | tuned | ours | printed test | ours | without noise |
| --- | --- | --- | --- | --- | --- | --- | --- |
{wine}
"""


def write_table(path, data, file, target, left_out, kind):
    """The table that is fitted, columns x1, x2, ... and y, and the arguments that name them."""
    rows = list(csv.DictReader((data / file).open()))
    if target == "median_house_value":
        rows = derived(rows)
    name, labels = labelled(rows, target)
    columns = [c for c in rows[0] if c != name and c not in left_out]
    values = {c: [float(r[c]) for r in rows] for c in columns}
    with path.open("w") as out:
        out.write(",".join(["y"] + [f"x{i}" for i in range(len(columns))]) + "\n")
        for r, label in enumerate(labels):
            out.write(",".join([repr(label)] + [repr(values[c][r]) for c in columns]) + "\n")
    bounds = ["0:1" if kind == "logistic" else f"{min(labels)!r}:{max(labels)!r}"]
    bounds += [f"{min(values[c])!r}:{max(values[c])!r}" for c in columns]
    features = ",".join(f"x{i}:{b}" for i, b in enumerate(bounds[1:]))
    return len(rows), len(columns), ["--target", f"y:{bounds[0]}", "--features", features]


class Lab:
    """Experiments, whose answers are kept."""

    def __init__(self, given, scratch):
        self.given, self.scratch, self.tables = given, pathlib.Path(scratch), {}
        self.answers = given.answers or self.scratch
        self.answers.mkdir(parents=True, exist_ok=True)

    def table(self, name, how):
        kind, file, target, left_out, _, _ = how
        if name not in self.tables:
            path = self.scratch / f"{name}.csv"
            self.tables[name] = (path, *write_table(path, self.given.data, file, target, left_out, kind))
        return self.tables[name]

    def run(self, key, name, how, *more, epsilon="1", penalty=None):
        path, rows, _, columns = self.table(name, how)
        answer = self.answers / f"{key}.json"
        if not answer.exists():
            command = [self.given.tool, "fit", how[0], str(path), *columns, "--regularize", penalty or how[4], "--method", "cd", "--raw",
                       "--relation", "replace", "--delta", f"{1 / round(0.8 * rows) ** 2:.3e}", "--experiment", "--json", *more,
                       "--trials", self.given.trials, "--epsilon", epsilon]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{shlex.join(command)[:300]}: {done.stderr}{done.stdout}")
            answer.write_text(done.stdout)
            print(key, json.loads(done.stdout)["nmse"], flush=True)
        return json.loads(answer.read_text())


def pm(measured):
    return f"{measured['mean']:.3g} ± {measured['error']:.1g}"


def row(*cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def key_of(name, *parts):
    return ".".join([name.replace(" ", "-"), *parts])


def table_iii(lab):
    for name, how in SETS.items():
        for noise in NOISES:
            for accounting in ACCOUNTINGS:
                found = lab.run(key_of(name, noise, accounting), name, how, "--noise", noise, "--accounting", accounting)
                yield row(name, found["rows"], lab.table(name, how)[2], noise, accounting, f"{found['tuned']:.3g}", pm(found["nmse"]), pm(found["test"]),
                          f"{found['plain_test']:.3g}", pm(found["distance"]), found["passes"], f"{found['noise']:.4g}")


def fine(lab):
    for name in FINE:
        for n, noise in enumerate(NOISES):
            usual = lab.run(key_of(name, noise, "paper"), name, SETS[name], "--noise", noise, "--accounting", "paper")
            found = lab.run(key_of(name, noise, "fine"), name, SETS[name], "--noise", noise, "--accounting", "paper", "--fine")
            yield row(name, noise, SETS[name][5][2 * n], f"{usual['tuned']:.3g}", f"{found['tuned']:.3g}", pm(found["nmse"]))


def wine(lab):
    name, how = "Wine quality", SETS["Wine quality"]
    for penalty, epsilon in WINE:
        more = ["--yes-epsilon"] if float(epsilon) > 10 else []
        found = lab.run(key_of(name, "penalty", penalty, epsilon), name, how, "--noise", "gaussian", "--accounting", "paper", "--passes", "20", *more,
                        epsilon=epsilon, penalty=f"l2:{penalty}")
        yield row(penalty, epsilon, how[5][0], f"{found['tuned']:.3g}", pm(found["nmse"]), how[5][1], pm(found["test"]), f"{found['plain_test']:.3g}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--trials", default="20")
    parser.add_argument("--answers", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        lab = Lab(given, scratch)
        text = PAGE.replace("{trials}", given.trials)
        for name, lines in (("table", table_iii), ("fine", fine), ("wine", wine)):
            text = text.replace("{" + name + "}", "\n".join(lines(lab)))
    given.page.parent.mkdir(parents=True, exist_ok=True)
    given.page.write_text(text)


main()
