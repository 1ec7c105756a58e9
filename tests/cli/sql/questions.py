"""Random tables and random questions about them, for compare.py.

Values are what engines treat differently: halves of steps, the double below 1/2, infinities, NaN, NULL, -0, single precision, exact numbers
of many digits, the ends of whole numbers, texts with quotes, backslashes, blanks, line ends and letters that collations take for the same. Names of
columns are those that a query uses itself, words of SQL, and names that have to be quoted.
"""
from collections import namedtuple

from engines import single

Column = namedtuple("Column", "name kind type")
Table = namedtuple("Table", "columns rows")

NAMES = ['odd "name', "we'ir\\d", "x", "y", "z", "Größe", "t", "t.x", "t.y", "dpn_k0", "dpn_n0", "dpn_p", "dpn_u", "dpn_m0", "a", "count", "select", "sum", "a b", "A,b", "`tick`", "%s",
         "$1", "a:b", "x>=y", "user", "infinity", "dpn_one", "rowid"]
TEXTS = ["a", "A", "b b", " a", "a ", "\ta", "", " ", "NA", "it's", 'q"q', "back\\slash", "\\", "ä", "á", "a\u0301", "ß", "ss", None, "0.5", "-", "64", "0", "NaN", "NULL", "%s", "a,b",
         "two\nlines", "$$", "\u00a0", "😀"]
WORDS = [t for t in TEXTS if t and not set(t) & set("\t\n")]  # what a question may name
REALS = [0.49999999999999994, 0.5, -0.5, 1.5, -0.0, float("inf"), float("-inf"), float("nan"), 1e300, -1e300, 5e-324, -5e-324, 17.999999999999996, 18, 0.1, 0.3, 64.5, 1e-7, 1e22, 1e23,
         9007199254740993.0, 2.5e-5, 123456.78125]
# What stands in questions: among them decimals next to a double, but not it.
BOUNDS = ["0", "18", "64", "5", "0.5", "0.1", "0.3", "-0", "0.1000000000000000055511151231257827", "0.49999999999999994", "17.999999999999996", "1e-7", "-1", "1e44", "5e-44", "1e22",
          "9223372036854775807", "-9223372036854775808", "9223372036854775808", "0.30000001192092896", "123456.78125", "64.00000000000000001"]


COUNTS_AND_SUMS = ["count", "sum", "sum", "mean", "variance", "histogram", "histogram", "covariance"]


class Maker:
    def __init__(self, draw, engine):
        self.draw, self.engine = draw, engine

    # ---- Tables ----

    def number(self, kind, bounds):
        draw = self.draw
        if kind == "integer":
            x = draw.choice([draw.randrange(-5, 130), draw.randrange(-5, 130), draw.randrange(-10**6, 10**6), bounds[1], bounds[0], 10**17 + 1, 0, 64, 63, 65, 18])
            return min(max(x, bounds[0]), bounds[1])
        if kind == "decimal":
            if bounds is not None:
                return draw.choice(["NaN", f"{draw.randrange(-10**9, 10**9)}e-{bounds}", "0.5", "18", "-0.000001", "64.500000"])
            return draw.choice(["NaN", "Infinity", "-Infinity", "0.5", "-0.50", "17.99999999999999999999999999", "18", "1e40", "-1e-40", "0.00", "64.000",
                                f"{draw.randrange(-10**9, 10**9)}e-{draw.randrange(12)}", f"{draw.randrange(-2**20, 2**20) / 2**12:.20f}"])
        x = draw.choice([draw.uniform(-10, 130), draw.randrange(-100, 130) / 8, draw.randrange(-2**20, 2**20) / 2**draw.randrange(8, 20), draw.uniform(-1, 1) * 10.0**draw.randrange(-9, 9),
                         draw.choice(REALS), draw.choice(REALS)])
        if kind == "single":
            x = single(x) if abs(x) < 1e38 or x in (float("inf"), float("-inf")) else 1e30 if x == x else x
            x = single(x)
        return None if self.engine.name_of == "sqlite" and x != x else float(x)

    def value(self, column, bounds, texts):
        never = "Nullable" not in column.type and self.engine.name_of == "clickhouse"
        x = self.draw.choice(texts) if column.kind == "text" else None if self.draw.random() < 0.08 else self.number(column.kind, bounds)
        return x if x is not None or not never else "" if column.kind == "text" else 0

    def table(self):
        draw, types = self.draw, self.engine.types
        kinds = [draw.choice(["text", "text", "integer"]), "text", "text"] + [draw.choice([k for k in types if k != "text"]) for _ in range(4)]
        chosen = [draw.choice(types[k]) for k in kinds]
        columns = [Column(n, k, t) for n, k, (t, _) in zip(["id", *draw.sample([n for n in NAMES if n not in self.engine.without], 6)], kinds, chosen)]
        texts = [draw.sample(TEXTS, draw.randrange(2, 12)) for _ in columns]  # few enough for groups of several rows
        rows = []
        for _ in range(draw.randrange(1, 160)):
            row = [self.value(c, bounds, few) for c, (_, bounds), few in zip(columns, chosen, texts)]
            if draw.random() < 0.9:
                row[0] = str(draw.randrange(8)) if kinds[0] == "text" else draw.randrange(8)
            rows.append(row)
        return Table(columns, rows)

    # ---- Questions, as dpnoise release --save-spec writes them ----

    def edges(self):
        draw = self.draw
        edges = draw.sample(BOUNDS + [f"{x}{y}" for x in range(-5, 130, 7) for y in ("", ".5", ".125")], draw.randrange(2, 7))
        edges = sorted({float(e): e for e in edges}.values(), key=float)
        return edges if len(edges) > 1 else ["0", "18"]

    def bounds(self, persons):
        low = self.draw.choice(["0", "0", "-10", "-1", "5", "0.1", "-0.001", "-1e6"])
        return low, f"{float(low) + self.draw.choice([100, 100, 1000, 7] if persons else [1, 7, 100, 100, 1000, 0.5, 10**5, 10**8, 0.003, 1e12]):.12g}"

    def statistic(self, numeric, kinds, persons):
        draw = self.draw
        column, (low, high) = draw.choice(numeric), self.bounds(persons)
        kind = draw.choice(kinds)
        if kind == "covariance" and len(numeric) > 1:
            some = draw.sample(numeric, min(len(numeric), draw.randrange(2, 4)))
            return {"kind": kind, "columns": some, "lower": [low] * len(some), "upper": [high] * len(some)}
        if kind in ("count", "covariance"):
            return {"kind": "count"}
        if kind == "histogram":
            return {"kind": kind, "column": column, "edges": draw.choice([["-inf"], []]) + self.edges() + draw.choice([["inf"], []])}
        if kind == "quantile":
            bins = {"edges": self.edges()} if draw.random() < 0.5 else {"lower": "0", "upper": "20", "step": "2"}
            return {"kind": kind, "column": column, "quantile": draw.choice(["0.5", "0.25"]), **bins}
        return {"kind": kind, "column": column, "lower": low, "upper": high}

    def statistics(self, numeric, kinds, persons):
        """Each kind once for each column: more is refused."""
        chosen, seen = ([{"kind": "count"}], {("count", None)}) if persons else ([], set())
        for _ in range(self.draw.randrange(1, 5)):
            more = self.statistic(numeric, kinds, persons)
            what = more["kind"], more.get("column")
            chosen += [] if what in seen else [more]
            seen.add(what)
        return chosen

    def grouping(self, column, share, persons):
        """Persons have enough rows in a group to be chosen from where most values are levels."""
        most = WORDS + ["1", "-1", "18", "-0", "0.1"]
        levels = self.draw.sample(most, len(most) - 3 if persons else self.draw.randrange(1, 9))
        return {"column": column, "levels": levels} if self.draw.random() < share else {"column": column}

    def predicate(self, table):
        draw, column = self.draw, self.draw.choice(table.columns)
        if column.kind == "text" or draw.random() < 0.1:
            return {"column": column.name, "is": draw.choice(["=", "!="]), "value": draw.choice(WORDS + ["Infinity", "inf", "-inf"])}
        return {"column": column.name, "is": draw.choice(["=", "!=", "<", "<=", ">", ">="]), "value": draw.choice(BOUNDS)}

    def question(self, table):
        """Of persons answers are compared, and the noise of counts beside wide sums, or with a delta for keys that are not declared, would not be 0."""
        draw = self.draw
        persons = self.engine.persons and draw.random() < 0.25
        open_keys = draw.random() < (0.05 if persons else 0.7)  # whose plans take seconds
        kinds = ["count", "histogram", "quantile"] if persons and (open_keys or draw.random() < 0.2) else COUNTS_AND_SUMS + ([] if persons else ["quantile"])
        spec = {"statistics": self.statistics([c.name for c in table.columns if c.kind != "text" and (c.name != "id" or not persons)], kinds, persons)}
        used = columns_of(spec)
        may = [c.name for c in table.columns[1:] if c.name not in used and not c.name.startswith("dpn_") and (c.kind in ("text", "integer") or self.engine.name_of == "postgresql")]
        keys = draw.sample(may, min(len(may), draw.choice([0, 0, 1, 1, 2]) if persons else draw.randrange(0, 4)))  # persons are few in each of several groups
        if keys:
            spec["by"] = [self.grouping(key, 0.5 if open_keys else 1, persons) for key in keys]
        where = [self.predicate(table) for _ in range(draw.choice([0, 0, 0, 1] if persons else [0, 0, 1, 1, 2]))]
        if where:
            spec["where"] = where
        if persons:
            spec |= {"person": "id", "max_rows": str(draw.randrange(1, 4))} | ({"max_groups": str(draw.randrange(1, 3))} if keys else {})
        if draw.random() < 0.15:
            spec["relation"] = "replace"
        spec |= {"epsilon": "1", "delta": "1e-6"}
        if draw.random() < 0.3:
            spec["missing"] = f"value:{draw.choice(BOUNDS)}"
        if draw.random() < 0.3:
            spec["na"] = draw.sample(["NA", "18", "-", "a", "64", "0.5", "NaN", "-0", "0", "ä", "it's", "back\\slash", " ss "], draw.randrange(1, 5))
        if draw.random() < 0.3:
            spec["count_left_out"] = True
        return spec


def columns_of(spec):
    """The columns that a question has."""
    names = [c for s in spec["statistics"] for c in s.get("columns", [s.get("column")])]
    names += [x["column"] for part in ("by", "where") for x in spec.get(part, [])] + [spec.get("person")]
    return {name for name in names if name is not None}
