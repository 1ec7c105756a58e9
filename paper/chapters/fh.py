"""FH: Muthukrishnan and Kalyani, the flipped Huber mechanism."""
import plot
from book import Seq, item


def law_of(i, family, *options):
    """The law of a family with a variance and a scale."""
    return i.json("calibrate", family, *options)["law"]


@item("fh-fig6", quick=True)
def figure_6(i):
    laws = {"gaussian": "gaussian(sigma=4)",
            "flipped-huber": law_of(i, "flipped-huber", "--variance", "16", "--scale", "7"),
            "osgt": law_of(i, "osgt", "--variance", "16", "--scale", "7")}
    grid = Seq("0.01", "0.01", "1")
    epsilons = grid.values
    answer = i.json("profile", *laws.values(), "--sensitivity", "1", "--epsilon", grid)
    curves = {name: [p["delta"] for p in one["profile"]] for name, one in zip(laws, answer["laws"])}
    panel = plot.Panel("epsilon", "delta", logy=True, ylim=(1e-8, 0.2))
    for name, deltas in curves.items():
        panel.curve(name, list(zip(epsilons, deltas)))
    i.figure("fh-fig6.svg", plot.draw(panel), "delta(epsilon) of three laws of variance 16, sensitivity 1.")
    least = [min(curves, key=lambda name: curves[name][k]) for k in range(len(epsilons))]
    first = {name: epsilons[least.index(name)] for name in ("osgt", "flipped-huber")}
    i.row("where osgt's delta becomes the smallest", None, first["osgt"])
    i.row("where flipped-huber's delta becomes the smallest", None, first["flipped-huber"])
    i.row("flipped-huber's delta is the smallest", "evident", f"from epsilon {first['flipped-huber']:g}", holds=first["flipped-huber"] <= 0.01)
    i.verdict("not reproduced", "")
