# What the pictures of the page show is what the answer says: bars and error bars of two keys side by side, from the JSON of the same answer.
awk 'BEGIN { srand(7); print "region,sex,age,income"; for (i = 0; i < 4000; i++) print (i % 3 ? "north" : "south") "," (i % 2 ? "f" : "m") "," int(90 * rand()) "," int(90000 * rand()) }' >people.csv
release() {
    dpnoise release people.csv --count --mean income:0:100000 --quantile age:0.25:0:100:1 --quantile age:0.5:0:100:1 --histogram age:0:90:15 \
        --by region,sex --levels region=north,south --levels sex=f,m --epsilon 3 "$@"
}
release --report page.html >/dev/null
release --json >answer.json
/usr/bin/python3 - <<'END'
import html.parser
import json
import math

answer = json.load(open("answer.json"))
assert answer["stored"]


class Node:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.children, self.text = tag, dict(attributes), [], ""

    def all(self, tag, kind=None):
        for child in self.children:
            if child.tag == tag and (kind is None or kind in child.attributes.get("class", "").split()):
                yield child
            yield from child.all(tag, kind)

    def words(self):
        return self.text + "".join(child.words() for child in self.children)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.root = Node("", [])
        self.stack = [self.root]

    def handle_starttag(self, tag, attributes):
        node = Node(tag, attributes)
        self.stack[-1].children.append(node)
        if tag != "meta":
            self.stack.append(node)

    def handle_startendtag(self, tag, attributes):
        self.stack[-1].children.append(Node(tag, attributes))

    def handle_endtag(self, tag):
        assert self.stack.pop().tag == tag

    def handle_data(self, data):
        self.stack[-1].text += data


page = Page()
page.feed(open("page.html", encoding="utf-8").read())
page = page.root
cell = {(row["group"]["region"], row["group"]["sex"], row["statistic"]): row for row in answer["rows"]}
number = lambda text: float(text.replace(",", "").rstrip("%"))
figures = {figure.children[0].words(): figure for figure in page.all("figure")}


def scale(places):
    """From two ticks with their texts: a function from values to places."""
    (x0, v0), (x1, v1) = places[0], places[-1]
    assert x0 != x1 and v0 != v1
    return lambda value: x0 + (value - v0) * (x1 - x0) / (v1 - v0)


# Panels by sex, lines by region, a dot for each quantile.
shown = 0
for title, names in [("Count", ["count"]), ("Mean of income", ["mean(income)"]), ("Quantiles of age", ["quantile(age,0.25)", "quantile(age,0.5)"])]:
    for sex in "fm":
        figure = figures[f"{title}, {sex}"]
        ticks = [(number(tick.attributes["x"]), number(tick.words())) for tick in figure.all("text")]
        place = scale(ticks)
        assert all(abs(place(value) - x) < 0.02 for x, value in ticks)
        lines = [svg for svg in figure.all("svg") if any(svg.all("circle"))]
        assert [label.words() for label in figure.all("span", "label")] == ["north", "south"] and len(lines) == 2
        for region, line in zip(["north", "south"], lines):
            rows = [cell[region, sex, name] for name in names]
            groups = list(line.all("g"))
            assert len(groups) == len(rows)
            for row, group in zip(rows, groups):
                dots = [number(dot.attributes["cx"]) for dot in group.all("circle")]
                bars = [(number(bar.attributes["x1"]), number(bar.attributes["x2"])) for bar in group.all("line", "error")]
                low, high = (place(end) for end in row["interval95"])
                assert len(dots) == 1 and abs(dots[0] - place(row["value"])) < 0.02
                assert len(bars) == 3 and abs(bars[0][0] - low) < 0.02 and abs(bars[0][1] - high) < 0.02, (bars, low, high)
                shown += 1
assert shown == 16

# A histogram for each group, all on one scale.
scales = set()
for (region, sex) in [(r, s) for r in ("north", "south") for s in "fm"]:
    figure = figures[f"{region}, {sex}"]
    side, picture = figure.all("svg")
    ticks = [(number(tick.attributes["y"]) - 4, number(tick.words())) for tick in side.all("text")]
    height = scale(ticks)
    scales.add(tuple(ticks))
    bars = list(picture.all("rect", "column"))
    assert len(bars) == 15
    total = 0
    for i, bar in enumerate(bars):
        row = cell[region, sex, f"histogram(age)[{6 * i},{6 * i + 6}{']' if i == 14 else ')'}"]
        size = abs(height(row["value"]) - height(0))
        assert abs(number(bar.attributes["height"]) - size) < 0.11, (bar.attributes, size)
        assert abs(number(bar.attributes["x"]) - (i + 0.06) * 100 / 15) < 0.02
        total += size
    assert total > 300
assert len(scales) == 1

# Tables: every number of the answer, bins as rows, heads that a screen reader can tell; none wider than paper.
text = " ".join(table.words() for table in page.all("table"))
for row in answer["rows"]:
    value = row["value"]
    assert (f"{value:,.0f}" if value == math.floor(value) else f"{value:,}") in text, row
assert all(head.attributes.get("scope") for head in page.all("th"))
assert all(any(table.all("caption")) for table in page.all("table"))
bins = [table for table in page.all("table") if "bin" in [head.words() for head in table.all("th")]]
assert sum(len(list(row.all("td"))) for table in bins for row in table.all("tr")) == 2 * 60
END
