"""KN: Awan and Slavkovic, K-norm mechanisms: sensitivity spaces, balls and their orders."""
import math

import plot
from book import item


def moves():
    """S_T of Example 2.10, its edge: (u, 2 - 2 (1 - |u|)^2) and its mirror image, with the points that are farthest by each norm."""
    farthest = max((k / 1e6 for k in range(1000000, 1500000)), key=lambda u: u * u + (2 - 2 * (1 - u) ** 2) ** 2)
    values = sorted({0.5, 1.25, farthest} | {k / 10 for k in range(10, 21)})
    return "".join(f"{u:.12g},{sign * (2 - 2 * (1 - u) ** 2):.12g}\n" for u in values for sign in (1, -1))


def by_ball(answer):
    return {row["ball"]: row for row in answer["rows"]}


def near(a, b, relative=1e-9):
    return abs(a - b) <= relative * abs(b)


# ---- Section 2 ----
@item("kn-prop23", quick=True)
def power(i):
    answer = i.json("knorm", "power", "--level", "0.01,0.05,0.1,0.5", "--epsilon", "1")["power"]
    for row in answer[:3]:
        i.row(f"power at level {row['level']:g}, epsilon 1: at most a e^epsilon", f"{row['level'] * math.e:.6f}", row["power"])
    i.row("power at level 0.5, where a e^epsilon is above 1", None, answer[3]["power"])
    i.verdict("reproduced", "The other half of the definition bounds the power too, by 1 - (1 - a) e^-epsilon; it is the smaller one where the level is large.")


@item("kn-prop28", quick=True)
def private(i):
    one = i.json("calibrate", "k-norm", "--epsilon", "1", "--l1", "3", "--dim", "3", "--ball", "l1")
    laplace = i.json("calibrate", "laplace", "--epsilon", "1", "--sensitivity", "1", "--dim", "3")
    i.row("variance of l1 noise, Delta_1 = 3: that of Laplace(Delta_1/epsilon)", "18", one["variance"][0])
    i.row("the same by independent Laplace noise", "18", laplace["variance"][0])
    i.row("certified delta at epsilon 1", "0", one["delta"])
    files = {"moves.txt": "1,2\n1,-2\n"}
    audit = i.json("audit", "k-norm(ball=hull,epsilon=1)", "--vertices", "moves.txt", "--samples", "200000", files=files, keep=True)
    i.row("an attack by sampling refutes it", "no", "no" if audit["pass"] else "yes", holds=audit["pass"])
    i.verdict("reproduced", "Exact for l1, l2, l_inf, hulls and the balls of section 5, on grids of the integers.")


@item("kn-example", quick=True)
def example(i):
    files = {"moves.txt": moves()}
    rows = by_ball(i.json("knorm", "compare", "l1", "l2", "linf", "--space", "moves.txt", files=files))
    i.row("Delta_1", "3.125", rows["l1"]["sensitivity"])
    exact = math.sqrt(71 + 8 * math.sqrt(2)) / 4
    i.row("Delta_2", "0.25 sqrt(71 + 8 sqrt 2)", rows["l2"]["sensitivity"], holds=near(rows["l2"]["sensitivity"], exact, 1e-10))
    i.row("Delta_inf", "2", rows["linf"]["sensitivity"])
    for ball, name, printed in (("l1", "l1", "19.53"), ("l2", "l2", "16.16"), ("linf", "l_inf", "16")):
        i.row(f"volume, {name}", printed, rows[ball]["volume"])
    i.row("volume, hull", "13.33", i.json("knorm", "volume", "k2")["volume"])
    i.row("Delta_1 again, the hull's support in the direction (1, 1)", "3.125", i.json("knorm", "norm", "k2", "--at", "1,1")["support"])
    i.verdict("reproduced", "The first three volumes are those of Delta_p times the unit ball. The hull is K_2, whose formula in Example 7.1 lacks a factor "
              "([erratum 34](errata.md#erratum-34)).")


def outline(ball, points=200):
    """Points of the edge of a ball, given its norm."""
    out = []
    for k in range(points + 1):
        a = 2 * math.pi * k / points
        n = ball(math.cos(a), math.sin(a))
        out.append((math.cos(a) / n, math.sin(a) / n))
    return out


@item("kn-fig1", quick=True)
def figure_1(i):
    files = {"moves.txt": moves()}
    exact = by_ball(i.json("knorm", "compare", "l1", "l2", "linf", "--space", "moves.txt", files=files))
    loose = by_ball(i.json("knorm", "compare", "linf(2,2)", "l2(2.8284271247461903,2.8284271247461903)", "l1(4,4)"))
    half = [(k / 50, 2 - 2 * (1 - abs(k / 50)) ** 2) for k in range(-100, 101)]
    space = half + [(u, -v) for u, v in reversed(half)]
    norms = {"l1": lambda x, y: abs(x) + abs(y), "l2": math.hypot, "l_inf": lambda x, y: max(abs(x), abs(y))}
    panels = []
    for title, radii in (("exact Delta", [exact[b]["sensitivity"] for b in ("l1", "l2", "linf")]), ("Delta by (2)", [4, math.sqrt(8), 2])):
        panel = plot.Panel("u1, change of sum x", "u2, change of sum 2x^2", title, xlim=(-4.6, 4.6), ylim=(-4.6, 4.6)).area(space, 5, 0.35)
        for (name, norm), radius in zip(norms.items(), radii):
            panel.curve(name, outline(lambda x, y, n=norm, r=radius: n(x, y) / r))
        panels.append(panel)
    i.figure("kn-fig1.svg", plot.draw(*panels), "Shaded: the sensitivity space of (sum x, sum 2x^2), x in [-1, 1].")
    none = not any(row["inside"] for name, row in exact.items() if name != "hull")
    i.row("exact: no ball contains another", "yes", none, holds=none)
    chain = len(loose["linf(2,2)"]["inside"]) == 2 and loose["l2(2.8284271247461903,2.8284271247461903)"]["inside"] == ["l1(4,4)"]
    i.row("by (2): l_inf in l2 in l1", "yes", chain, holds=chain)
    i.verdict("reproduced", "Both halves. Sensitivities are those of [Example 2.10](#kn-example).")


# ---- Section 3 ----
@item("kn-lemmas", quick=True)
def lemmas(i):
    for ball in ("l1(1,1,1)", "l2(1,2)", "linf(1,1,1)", "k2", "k3"):
        found = i.json("knorm", "check", ball, "--count", "20000", keep=True)
        i.row(f"{ball}: radius Gamma(m), independent of direction, smallest sets", "yes", found["holds"], holds=found["holds"])
    depth = i.json("knorm", "depth", "k2", "--at", "1,1")
    length = depth["norm"] / math.sqrt(2)
    i.row("variance given the direction (1, 1), K_2: m(m+1)/|e|_K^2", f"{6 / length ** 2:.6f}", depth["conditional_variance"])
    i.verdict("misprint", "Lemmas 3.4, 3.5 and 3.16 hold in 20000 draws of each ball. The rate in 3.16(2) is a |e|_K, printed with the exponent -1, and the variance of the signed "
              "length is m(m+1)/(a^2 |e|_K^2) ([erratum 38](errata.md#erratum-38)).")


@item("kn-containment", quick=True)
def containment(i):
    balls = ["linf(2,2)", "l2(2.8284271247461903,2.8284271247461903)", "l1(4,4)"]
    rows = by_ball(i.json("knorm", "compare", *balls))
    for ball in balls[:2]:
        i.row(f"{ball} lies inside", None, ", ".join(rows[ball]["inside"]))
    for at in ("1,0", "1,1", "1,3"):
        values = [i.json("knorm", "depth", ball, "--at", at)["conditional_variance"] for ball in balls]
        rising = all(a <= b * (1 + 1e-12) for a, b in zip(values, values[1:]))
        i.row(f"variance given the direction ({at}) rises with the ball", "yes", rising, holds=rising)
    radii = [[c["radius"] for c in i.json("knorm", "depth", ball, "--prob", "0.5,0.95")["concentration"]] for ball in balls]
    same = all(near(a, b) for r in radii[1:] for a, b in zip(radii[0], r))
    i.row("the smallest set of probability p is t K, with one t for all balls", "yes", same, holds=same)
    i.verdict("reproduced", "A ball inside another has smaller sets of every probability, and less variance in every direction.")


@item("kn-depth", quick=True)
def depth_of_points(i):
    values = []
    for at in ("0,0", "0.5,0.5", "1,1", "2,2", "20,20"):
        found = i.json("knorm", "depth", "k2", "--at", at)
        n = found["norm"]
        values.append(found["depth"])
        i.row(f"depth of ({at}) for K_2: 1 - P(Gamma(2) <= |x|_K)", f"{math.exp(-n) * (1 + n):.6g}", found["depth"])
    falling = all(a > b for a, b in zip(values, values[1:]))
    i.row("1 at the centre, falling on rays", "yes", falling and values[0] == 1, holds=falling and values[0] == 1)
    i.verdict("misprint", "Def. 3.9 has inf for sup, and Def. 3.10 the inclusion reversed ([erratum 39](errata.md#erratum-39)).")


@item("kn-entropy", quick=True)
def entropy(i):
    for ball, m in (("l1(1,1,1)", 3), ("l2(1,2)", 2), ("k2", 2)):
        found = i.json("knorm", "entropy", ball, "--epsilon", "0.5")
        want = m * (1 + math.log(found["sensitivity"] / 0.5)) + math.log(math.factorial(m)) + found["log_volume"]
        i.row(f"{ball}, epsilon 0.5: log((e Delta/epsilon)^m m! vol K)", f"{want:.6f}", found["entropy"])
    told = i.json("knorm", "entropy", "k2", "--answers", "3")
    i.row("I(T, Z) - I(Z, V) = H(T) - H(V), H(T) = 3", f"{3 - told['entropy']:.6f}", told["information_gap"])
    i.verdict("reproduced", "Smaller volume, smaller entropy.")


@item("kn-fig2", quick=True)
def figure_2(i):
    nodes = {"tightness": (20, 20), "conditional variance": (20, 90), "depth": (20, 160), "entropy": (20, 230), "containment order": (270, 55), "volume order": (270, 230)}
    arrows = [("tightness", "containment order"), ("conditional variance", "containment order"), ("depth", "containment order"), ("depth", "volume order"), ("entropy", "volume order"),
              ("containment order", "volume order")]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 290" width="460" height="290">', plot.STYLE, '<rect class="paper" width="460" height="290"/>']
    for a, b in arrows:
        (x, y), (u, v) = nodes[a], nodes[b]
        start, end = ((x + 165, y + 20), (u, v + 20)) if x != u else ((x + 80, y + 40), (u + 80, v))
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        tips = [(end[0] - 9 * math.cos(angle + s), end[1] - 9 * math.sin(angle + s)) for s in (0.4, -0.4)]
        out.append(f'<line class="curve ink" x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}"/>')
        out += [f'<line class="curve ink" x1="{t[0]:.1f}" y1="{t[1]:.1f}" x2="{end[0]}" y2="{end[1]}"/>' for t in tips]
    for name, (x, y) in nodes.items():
        out.append(f'<rect class="frame" x="{x}" y="{y}" width="165" height="40"/><text text-anchor="middle" x="{x + 82}" y="{y + 25}">{name}</text>')
    i.figure("kn-fig2.svg", "\n".join([*out, "</svg>"]) + "\n", "Each criterion leads to an order of balls; containment implies the order of volumes.")
    rows = by_ball(i.json("knorm", "compare", "linf(2,2)", "l2(2.8284271247461903,2.8284271247461903)", "l1(4,4)"))
    volumes = [row["volume"] for row in rows.values()]
    i.row("a ball inside another has the smaller volume", "yes", volumes == sorted(volumes), holds=volumes == sorted(volumes))
    exact = by_ball(i.json("knorm", "compare", "l1(3.125,3.125)", "linf(2,2)"))
    comparable = any(row["inside"] for row in exact.values())
    i.row("volumes compare also where neither ball lies inside the other", "yes", not comparable, holds=not comparable)
    i.verdict("reproduced", "A diagram; the arrows are Theorems 3.6, 3.11, 3.15 and 3.17.")


@item("kn-hull", quick=True)
def hull(i):
    files = {"moves.txt": moves()}
    answer = i.json("knorm", "compare", "l1", "l2", "linf", "--space", "moves.txt", files=files)
    rows = by_ball(answer)
    for ball in ("l1", "l2", "linf", "hull"):
        i.row(f"entropy at epsilon 1, {ball}", None, rows[ball]["entropy"])
    least = min(rows, key=lambda b: rows[b]["entropy"])
    i.row("the least entropy", "hull", least, holds=least == "hull")
    inside = set(rows["hull"]["inside"]) == {"l1", "l2", "linf"}
    i.row("the hull lies inside every other ball", "yes", inside, holds=inside)
    i.row("its sensitivity", "1", rows["hull"]["sensitivity"], holds=near(rows["hull"]["sensitivity"], 1, 1e-9))
    i.verdict("reproduced", "On the space of Example 2.10, given by 28 points of its edge.")


@item("kn-prop321", quick=True)
def volumes(i):
    for ball, exact in (("l1(1,1,1)", "4/3"), ("l2(1,1,1)", "4 pi/3"), ("linf(1,1,1)", "8")):
        value = i.json("knorm", "volume", ball)["volume"]
        i.row(f"{ball[:-7]}, m = 3, {exact}", {"4/3": "1.333333", "4 pi/3": "4.188790", "8": "8"}[exact], value)
    i.verdict("reproduced", "The formula (2 Gamma(1+1/p))^m/Gamma(1+m/p).")


# ---- Samplers, section 6 ----
@item("kn-samplers", quick=True)
def samplers(i):
    for name, ball in (("5", "l1(1,1,1)"), ("6", "l2(1,1,1)"), ("7", "linf(1,1,1)"), ("8", "k2")):
        found = i.json("knorm", "check", ball, "--count", "20000", keep=True)
        i.row(f"Algorithm {name}, {ball}: law of radius and direction", "yes", found["holds"], holds=found["holds"])
    area, box = i.json("knorm", "volume", "k2")["volume"], i.json("knorm", "volume", "linf(2,2)")["volume"]
    i.row("Algorithm 8 accepts for K_2: its area over that of the box", None, area / box)
    i.verdict("misprint", "Algorithm 8 draws the radius r and then releases T + U: it must be T + r U, or the noise is bounded and nothing is private "
              "([erratum 33](errata.md#erratum-33)). The exact samplers here draw r U on a grid.")


PAIR = ("linf(100,1)", "l1(110,11)")


@item("kn-fig6", quick=True)
def figure_6(i):
    i.picture("kn-fig6.svg", "knorm", "compare", *PAIR, caption="The rectangle K inside the diamond H: less noise by containment and by volume, more by every loss.")
    rows = by_ball(i.json("knorm", "compare", *PAIR))
    i.row("K lies inside H", "yes", rows[PAIR[0]]["inside"] == [PAIR[1]], holds=rows[PAIR[0]]["inside"] == [PAIR[1]])
    i.verdict("reproduced", "The advice holds: scale all answers to the same sensitivity first.")


def within(exact, printed, error):
    """Words, and whether a Monte-Carlo number of the paper lies within four of its standard errors."""
    away = abs(float(printed) - exact) / error
    return f"{exact:.7g}, {away:.1f} standard errors away", away < 4


@item("kn-marginal", quick=True)
def marginal(i):
    """The paper's variances are means of 10^5 squares; their standard errors follow from E x^4 = 360 E u^4, u uniform in the ball."""
    rows = by_ball(i.json("knorm", "compare", *PAIR))
    fourth = {"K": (360 * 100 ** 4 / 5, 360 / 5), "H": (360 * 110 ** 4 / 15, 360 * 11 ** 4 / 15)}
    for name, ball, printed in (("K", PAIR[0], ("40068.37", "3.99")), ("H", PAIR[1], ("24139.87", "242.09"))):
        for axis in (0, 1):
            exact = rows[ball]["variance"][axis]
            words, holds = within(exact, printed[axis], math.sqrt((fourth[name][axis] - exact ** 2) / 1e5))
            i.row(f"{name}, {'xy'[axis]}", printed[axis], words, holds=holds)
    i.verdict("reproduced", "Ours are exact; the paper's are of 10^5 draws.")


@item("kn-table1", quick=True)
def table_1(i):
    rows = by_ball(i.json("knorm", "compare", *PAIR))
    printed = {"K": (("150.17", .418), ("150.19", .418), ("151.66", .420)), "H": (("110.89", .345), ("112.27", .343), ("120.89", .349))}
    for name, ball in zip("KH", PAIR):
        for (text, error), key, loss in zip(printed[name], ("linf", "l2", "l1"), ("l_inf", "l2", "l1")):
            words, holds = within(rows[ball][key], text, error)
            i.row(f"{name}, {loss}", text, words, holds=holds)
    i.verdict("reproduced", "Expected losses, exact, beside the paper's of 10^5 draws with their printed standard errors. The text of section 6 swaps the names H and K once.")
