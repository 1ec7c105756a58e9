"""INID: Muthukrishnan and Kalyani, non-identical additive noise."""
import math

import plot
from book import item

PROFILES = {"uniform": lambda n: 1.0, "linear": float, "quadratic": lambda n: float(n * n), "exponential": lambda n: math.exp(n)}


def sensitivities(profile, k, norm):
    """lambda of a profile, as text, its l_norm norm 1."""
    values = [PROFILES[profile](n) for n in range(1, k + 1)]
    size = sum(v ** norm for v in values) ** (1 / norm)
    return ",".join(repr(v / size) for v in values)


@item("inid-fig3", quick=True)
def figure_3(i):
    dimensions = [2, 3, 4, 5, 6, 8, 10, 15, 20, 25]
    panel = plot.Panel("K, number of answers", "Gini coefficient of the sensitivities", ylim=(0, 1))
    found = {}
    for profile in ("linear", "quadratic", "exponential"):
        answers = i.all([["calibrate", "--sensitivities", sensitivities(profile, k, 2), "--inequality"] for k in dimensions])
        found[profile] = [a["gini"] for a in answers]
        panel.curve(profile, list(zip(dimensions, found[profile])), dots=True)
    i.figure("inid-fig3.svg", plot.draw(panel), "The more unequal the sensitivities, the larger the coefficient.")
    for profile, values in found.items():
        i.row(f"{profile}, K = 2", None, values[0])
    i.row("K = 2: quadratic above exponential", "yes", found["quadratic"][0] > found["exponential"][0], holds=found["quadratic"][0] > found["exponential"][0])
    i.verdict("reproduced", "At K = 2 the quadratic profile is the more unequal one; from K = 3 the exponential is.")
