"""The tables of FH's and the talk's experiments, made from public data sets as the papers describe them.

usage: tables.py DATA      writes tables.json, what the commands say of each table, from the data sets in DATA

The data sets themselves are not part of this tree. A run whose answer is kept needs tables.json alone.
"""
import csv
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
DATA = pathlib.Path(os.environ.get("DPN_PAPER_DATA", HERE.parent.parent / "shared/data"))

SETS = {  # name: (kind, file, target and how it is made, columns left out, penalty)
    "houses": ("logistic", "california_housing.csv", "longitude>=mean", [], "l2:0.1"),
    "wine": ("logistic", "wine_quality.csv", "is_red", ["quality"], "l2:0.0002"),
    "pumpkin": ("logistic", "pumpkin_seeds.csv", "class=cercevelik", [], "l2:0.1"),
    "heart": ("logistic", "statlog_heart.csv", "heart_disease", [], "l2:0.1"),
    "california": ("linear", "california_housing.csv", "median_house_value", [], "l1:0.01"),
    "boston": ("linear", "boston_housing.csv", "medv", [], "l1:0.01"),
    "airfoil": ("linear", "airfoil_self_noise.csv", "scaled_sound_pressure_db", [], "l1:0.01"),
    "diabetes": ("linear", "diabetes.csv", "progression", [], "l1:0.1"),
    "electricity": ("logistic", "electricity.csv", "class_up", [], "l2:0.0001"),
}


def derived(rows):
    """California's averages in place of its totals."""
    out = []
    for row in rows:
        households = float(row["households"])
        row = dict(row)
        for total, name in (("total_rooms", "rooms"), ("total_bedrooms", "bedrooms"), ("population", "persons")):
            row[name] = str(float(row[total]) / households)
        out.append({k: v for k, v in row.items() if k not in ("total_rooms", "total_bedrooms", "households")})
    return out


def labelled(rows, target):
    """The target as numbers: as it is, at least the mean, or one of two words."""
    if target.endswith(">=mean"):
        name = target[: -len(">=mean")]
        mean = sum(float(r[name]) for r in rows) / len(rows)
        return name, [int(float(r[name]) >= mean) for r in rows]
    name, _, word = target.partition("=")
    return name, [int(r[name] == word) if word else float(r[name]) for r in rows]


def columns_of(name):
    """y, and the features in their order."""
    _, file, target, left_out, _ = SETS[name]
    path = DATA / file
    if not path.exists():
        raise SystemExit(f"paper: the data set {path} is not there; set DPN_PAPER_DATA to the directory that holds it")
    rows = list(csv.DictReader(path.open()))
    if target == "median_house_value":
        rows = derived(rows)
    of, labels = labelled(rows, target)
    return labels, {c: [float(r[c]) for r in rows] for c in rows[0] if c != of and c not in left_out}


def text(name):
    """The table that is fitted: columns y, x0, x1, ..."""
    labels, values = columns_of(name)
    head = ",".join(["y", *(f"x{n}" for n in range(len(values)))])
    lines = (",".join(map(repr, row)) for row in zip(labels, *values.values()))
    return "\n".join([head, *lines]) + "\n"


def facts():
    """What commands say of each table, as tables.json holds it."""
    return json.loads((HERE / "tables.json").read_text())


def main():
    global DATA
    DATA = pathlib.Path(sys.argv[1])
    found = {}
    for name, (kind, *_) in SETS.items():
        labels, values = columns_of(name)
        bounds = [f"{min(v)!r}:{max(v)!r}" for v in values.values()]
        found[name] = {"rows": len(labels), "features": len(values), "target": "y:0:1" if kind == "logistic" else f"y:{min(labels)!r}:{max(labels)!r}",
                       "columns": ",".join(f"x{n}:{b}" for n, b in enumerate(bounds))}
    (HERE / "tables.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
