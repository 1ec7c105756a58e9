"""FH section VI and Table III: private coordinate descent."""
import math

import plot
from book import item
from chapters import descent, printed

# Training rows and features of Table III, in its order.
SIZES = {"Houses": (16512, 8), "Wine quality": (5198, 11), "Pumpkin seeds": (2000, 12), "Heart": (216, 13), "California": (16512, 8),
         "Boston housing": (405, 13), "Airfoil": (1202, 5), "Diabetes": (354, 10)}


def ratios(i, rows, features, passes):
    """Variance over the Gaussian's along xi, epsilon 1 and delta 1/N^2, equal sensitivities: [(xi, ratio)]."""
    budget = math.log(rows ** 2)
    grid = [k / 40 for k in range(40)] + [0.99, 0.999, 0.9999]
    laws = []
    for xi in grid:
        eta = (math.sqrt(budget + 1 - xi) - math.sqrt(budget)) ** 2
        alpha, gamma = printed.r_inverse(xi / eta, 1.0), math.sqrt(features * passes / (2 * eta))
        laws.append(f"flipped-huber(alpha={alpha!r},gamma={gamma!r})")
    found = [one["variance"] for one in i.laws(laws)]
    return [(xi, v / found[0]) for xi, v in zip(grid, found)], laws


@item("fh-rule", quick=True)
def rule(i):
    panel = plot.Panel("xi, the part of epsilon that flipped Huber noise takes", "variance over the Gaussian's", ylim=(0.3, 1.6))
    ends = True
    for n, (name, (rows, features)) in enumerate(SIZES.items()):
        curve, laws = ratios(i, rows, features, 1)
        least = min(curve, key=lambda p: p[1])
        ends &= least[0] in (0.0, curve[-1][0])
        i.row(f"{name}: least variance over the Gaussian's at L = 1, at xi = {least[0]:g}", None, f"{least[1]:.2f}")
        if n in (0, 1, 2, 3, 5, 7):
            panel.curve(name, curve)
    i.figure("fh-rule.svg", plot.draw(panel), "One pass over the coordinates, epsilon 1, delta 1/N^2: the least variance is at an end, the Gaussian (left) or Laplace noise (right), never between.")
    line = i.json("convert", "zcdp(xi=0,rho=0.012)", "--delta", "1e-6", "--rule", "bun-steinke")
    i.row("the rule: epsilon = xi + eta + 2 sqrt(eta log 1/delta) at xi 0, eta 0.012, delta 1e-6", f"{0.012 + 2 * math.sqrt(0.012 * math.log(1e6)):.7g}", line["epsilon"])
    for name, passes in (("Houses", 2), ("Houses", 5), ("Diabetes", 2)):
        curve, _ = ratios(i, *SIZES[name], passes)
        i.row(f"{name}: least variance over the Gaussian's at L = {passes}", None, f"{min(p[1] for p in curve):.2f}")
    if not ends:
        raise SystemExit("fh-rule: a least variance between the ends")
    i.verdict("improved upon", "The rule is right. What it finds is always an end of the range: Gaussian noise, or the limit of Laplace noise, which is less for one pass on six of the eight sets and for two "
              "passes on the larger ones. Exact accounting of all releases together needs less noise than either ([beyond](beyond.md#beyond-dpcd)).")


def table(i):
    """Rows and a picture of Table III: printed, by the paper's accounting, and exact."""
    sets = descent.sets(i)
    points = {"printed": [], "ours, the paper's accounting": [], "ours, exact accounting": []}
    for n, (name, (title, *values)) in enumerate(sets.items()):
        for noise, (nmse, test) in (("gaussian", values[:2]), ("flipped-huber", values[2:])):
            ours = descent.table_iii(i, name, noise, "paper")
            exact = descent.table_iii(i, name, noise, "exact")
            for what, value, member in (("NMSE", nmse, "nmse"), ("test error", test, "test")):
                near = abs(ours[member]["mean"] - float(value)) <= 3 * ours[member]["error"]
                i.row(f"{title}, {noise}, {what}", value, descent.spread(ours[member]), holds=near)
            i.row(f"{title}, {noise}, NMSE as the paper reports it: the best of 75 settings", None, f"{ours['tuned']:.3g}")
            at = n + 1 + (0.15 if noise == "flipped-huber" else -0.15)
            for key, value in zip(points, (float(nmse), ours["nmse"]["mean"], exact["nmse"]["mean"])):
                points[key].append((at, value))
    panel = plot.Panel("set; on its left Gaussian noise, on its right flipped Huber", "NMSE", logy=True, xlim=(0.4, len(sets) + 0.6),
                       xticks=[(n + 1, title.split()[0]) for n, (title, *_) in enumerate(sets.values())])
    for n, (key, found) in enumerate(points.items()):
        panel.curve(key, found, colour=n, line=False, dots=True)
    return panel


@item("fh-table3")
def table_3(i):
    i.run("convert", "zcdp(xi=0,rho=0.012)", "--delta", "1e-6", "--rule", "bun-steinke")
    i.figure("fh-table3.svg", plot.draw(table(i)), "Table III beside ours: |theta - theta*|^2/|theta*|^2, epsilon 1, delta 1/N^2.")
    i.text("Not private: columns are standardised and passes, step and clip tuned on the rows, as the paper does. Ours is the mean of 20 fresh splits at the setting that five runs of each of 75 "
           "settings liked best (passes 1, 2, 5, 10, 20; steps 0.1, 0.3, 1; clips 0.1 to 10), with its standard error. The paper reports the best mean itself, which is the least of many and flatters. "
           "Its grids, splits, clips and scaling are not given; a row agrees if it is within three standard errors.")
    i.text("[Other accountings and more settings](descent.md) of the same experiments have a page of their own.")
    missing = [title for name, (title, *_) in descent.PRINTED.items() if name not in descent.sets(i)]
    if missing:
        i.text(f"Not run yet: {', '.join(missing)}. With the data sets at hand `DPN_PAPER_DATA=DIRECTORY ./dev paper --only fh` runs what is missing.")
    i.verdict("not determined by the paper", "Test errors come out nearly; NMSE is larger than printed, on Wine three to four times: the paper reports the least of its tuning, whose settings are not given. Which noise wins does not come out, since at equal accounting the two "
              "laws are the same from three passes on "
              "([the rule](#fh-rule), [erratum 44](errata.md#erratum-44)).")
