"""INID: Muthukrishnan and Kalyani, non-identical additive noise."""
import math

import plot
from book import Seq, item

PROFILES = {"uniform": lambda n: 1.0, "linear": float, "quadratic": lambda n: float(n * n), "exponential": lambda n: math.exp(n)}
UNEQUAL = ("linear", "quadratic", "exponential")
DIMENSIONS = [*range(2, 13), 15, 20, 25]


def profile_of(profile, k, norm):
    """lambda of a profile, its l_norm norm 1."""
    if profile == "one-hot":
        return [0.0] * (k - 1) + [1.0]
    values = [PROFILES[profile](n) for n in range(1, k + 1)]
    size = sum(v ** norm for v in values) ** (1 / norm)
    return [v / size for v in values]


def sensitivities(profile, k, norm):
    return ",".join(repr(v) for v in profile_of(profile, k, norm))


def decibels(x):
    return 10 * math.log10(x)


def noise(family, profile, k, norm, epsilon="0.5", *more):
    delta = ["--delta", "1e-6"] if family == "gaussian" else []
    return ["calibrate", family, "--epsilon", epsilon, *delta, "--sensitivities", sensitivities(profile, k, norm), *more]


def sigmas(answer):
    """The scale of each answer's noise, in order."""
    out = []
    for block in answer["plan"]:
        value = float(block["noise"].split("=")[1].rstrip(")")) if block["noise"] != "none" else 0.0
        out += [value] * len(block["sensitivities"])
    return out


# ---- Theorems ----
@item("inid-theorem4", quick=True)
def theorem_4(i):
    one = i.json("calibrate", "gaussian", "--epsilon", "0.5", "--delta", "1e-6", "--sensitivity", "1")
    m0 = 1 / sigmas(one)[0]
    i.row("M_0, epsilon 0.5, delta 1e-6", None, m0)
    linear = profile_of("linear", 5, 2)
    answer = i.json(*noise("gaussian", "linear", 5, 2))
    m = math.sqrt(sum((a / s) ** 2 for a, s in zip(linear, sigmas(answer))))
    i.row("M of unequal noise that was calibrated exactly over M_0", "1", m / m0, holds=abs(m / m0 - 1) < 1e-9)
    scales = [4, 6, 8, 10, 12]
    deltas = [i.json("profile", f"gaussian(sigma={s})", "--sensitivity", "1", "--epsilon", "0.5")["delta"] for s in scales]
    i.row("delta falls as sigma grows (Lemma 3)", "yes", all(a > b for a, b in zip(deltas, deltas[1:])),
          holds=all(a > b for a, b in zip(deltas, deltas[1:])))
    none = i.json("calibrate", "gaussian", "--epsilon", "0", "--delta", "1e-6", "--sensitivity", "1")
    i.row("sigma at epsilon 0, where the bracket of Algorithm 1 has no end", None, sigmas(none)[0])
    i.verdict("reproduced", "(epsilon, delta) depends on the noise through M^2 = sum lambda_i^2/sigma_i^2 alone, for answers that can all move by lambda_i at "
              "once; where they cannot, the condition is sufficient ([erratum 21](errata.md#erratum-21)).")


@item("inid-theorem5", quick=True)
def theorem_5(i):
    one = i.json("calibrate", "gaussian", "--epsilon", "0.5", "--delta", "1e-6", "--sensitivity", "1")
    m0 = 1 / sigmas(one)[0]
    for profile in UNEQUAL:
        values = profile_of(profile, 6, 2)
        answer, same = i.all([noise("gaussian", profile, 6, 2), noise("gaussian", profile, 6, 2, "0.5", "--identical")])
        want = [sum(values) * v / m0 ** 2 for v in values]
        off = max(abs(s * s / w - 1) for s, w in zip(sigmas(answer), want))
        i.row(f"{profile}, K = 6: sigma_i^2 = D1 lambda_i/M_0^2", "yes", f"within {off:.0e}", holds=off < 1e-6)
        gain = same["mse"] / answer["mse"]
        formula = 6 * sum(v * v for v in values) / sum(values) ** 2
        i.row(f"{profile}, K = 6: gain K D2^2/D1^2", f"{formula:.5f}", gain)
    i.verdict("reproduced", "The exact search over all variances, which knows nothing of the formula, ends at it.")


@item("inid-theorem7", quick=True)
def theorem_7(i):
    chain = [[1, 0, 0, 0], [0.8, 0.6, 0, 0], [0.7, 0.5, 0.5, 0.1], [0.5, 0.5, 0.5, 0.5]]
    texts = [",".join(map(repr, map(float, values))) for values in chain]
    errors = []
    for text, after in zip(texts, [*texts[1:], None]):
        if after:
            order = i.json("calibrate", "--sensitivities", text, "--inequality", "--majorises", after)
            i.row(f"which majorises the other, ({text}) or ({after})", None, order["majorises"])
        errors.append(i.json("calibrate", "gaussian", "--epsilon", "0.5", "--delta", "1e-6", "--sensitivities", text)["mse"])
    for text, error in zip(texts, errors):
        i.row(f"MSE of ({text})", None, error)
    rising = all(a < b for a, b in zip(errors, errors[1:]))
    i.row("the MSE rises along the chain", "yes", rising, holds=rising)
    i.verdict("reproduced", "At one D2 the more unequal sensitivities need less noise; equal ones need the most.")


@item("inid-theorem8", quick=True)
def theorem_8(i):
    for profile in UNEQUAL:
        values = profile_of(profile, 6, 1)
        answer = i.json(*noise("laplace", profile, 6, 1))
        thirds = sum(v ** (2 / 3) for v in values)
        off = max(abs(s / (v ** (1 / 3) * thirds / 0.5) - 1) for s, v in zip(sigmas(answer), values))
        i.row(f"{profile}, K = 6: beta_i = lambda_i^(1/3) sum lambda_j^(2/3)/epsilon", "yes", f"within {off:.0e}", holds=off < 1e-6)
        i.row(f"{profile}, K = 6: MSE (2/epsilon^2) (sum lambda_j^(2/3))^3", f"{8 * thirds ** 3:.4f}", answer["mse"])
    i.verdict("reproduced", "Again the exact search ends at the formula.")


@item("inid-laplace", quick=True)
def laplace_with_delta(i):
    for k in (1, 2, 5):
        delta = 0.01
        printed = k / (0.5 - 2 * math.log(1 - delta))
        ours = sigmas(i.json("calibrate", "laplace", "--epsilon", "0.5", "--delta", "0.01", "--sensitivity", "1", "--dim", str(k)))[0]
        i.row(f"least scale, K = {k}, epsilon 0.5, delta 0.01", f"{printed:.4f}", ours, otherwise="improved upon")
    i.verdict("improved upon", "[1 - exp((epsilon - D1/beta)/2)]_+ <= delta is necessary and sufficient for one answer. For several it is sufficient alone: the exact "
              "profile of independent Laplace noise allows a smaller scale ([erratum 22](errata.md#erratum-22)).")


# ---- Figures ----
def against_epsilon(i, family, norm, name, caption):
    """MSE in dB against epsilon, K = 20; the gains at epsilon 0.5."""
    grid = Seq("0.1", "0.1", "2.0")
    panel = plot.Panel("epsilon", "MSE in dB", "K = 20")
    for profile in ("uniform", *UNEQUAL, "one-hot"):
        found = i.json(*noise(family, profile, 20, norm, grid))["grid"]
        panel.curve(profile, [(p["epsilon"], decibels(p["mse"])) for p in found])
    i.figure(name, plot.draw(panel), caption)
    gains = {}
    for profile in UNEQUAL:
        own, same = i.all([noise(family, profile, 20, norm), noise(family, profile, 20, norm, "0.5", "--identical")])
        gains[profile] = same["mse"] / own["mse"]
    most, least = i.all([noise(family, profile, 20, norm) for profile in ("uniform", "one-hot")])
    return {**gains, "one-hot": most["mse"] / least["mse"]}


@item("inid-fig1", quick=True)
def figure_1(i):
    gains = against_epsilon(i, "gaussian", 2, "inid-fig1.svg", "Gaussian noise at delta 1e-6; sensitivities of length D2 = 1, for which noise that is the same "
                            "for all has the MSE of the uniform profile.")
    for profile, gain, factor in zip(UNEQUAL, ("1.145", "2.442", "9.658"), ("1.3016", "1.7547", "9.2423")):
        i.row(f"gain in dB, {profile}", gain, decibels(gains[profile]))
        i.row(f"gain as a factor, {profile}", factor, gains[profile])
    i.row("gain in dB, one-hot", "13.01", decibels(gains["one-hot"]))
    i.verdict("reproduced", "The gains do not depend on epsilon. The range of epsilon is not given: 0.1 to 2 is ours.")


@item("inid-fig4", quick=True)
def figure_4(i):
    gains = against_epsilon(i, "laplace", 1, "inid-fig4.svg", "Laplace noise, delta 0; sensitivities with the sum D1 = 1.")
    for profile, gain in zip(UNEQUAL, ("0.546", "1.39", "7.609")):
        i.row(f"gain in dB, {profile}", gain, decibels(gains[profile]))
    i.verdict("reproduced", "The range of epsilon is not given: 0.1 to 2 is ours.")


def against_dimension(i, family, norm, profiles):
    """{profile: {K: MSE in dB}} at epsilon 0.5."""
    return {p: {k: decibels(a["mse"]) for k, a in zip(DIMENSIONS, i.all([noise(family, p, k, norm) for k in DIMENSIONS]))} for p in profiles}


def dimension_panel(found, title, **options):
    panel = plot.Panel("K, number of answers", "MSE in dB", title, **options)
    for profile, line in found.items():
        panel.curve(profile, list(line.items()), dots=True)
    return panel


@item("inid-fig2", quick=True)
def figure_2(i):
    found = against_dimension(i, "gaussian", 2, ("uniform", *UNEQUAL))
    inset = {p: {2: line[2], 3: line[3]} for p, line in found.items()}
    i.figure("inid-fig2.svg", plot.draw(dimension_panel(found, "Gaussian, epsilon 0.5, delta 1e-6, D2 = 1"), dimension_panel(inset, "K = 2 and 3", xticks=[2, 3])),
             "On the right the inset: at K = 2 the quadratic profile needs the least noise, from K = 3 the exponential one.")
    i.row("saturation in dB, exponential", "21.477", found["exponential"][25])
    better = [k for k in DIMENSIONS if found["exponential"][k] < found["quadratic"][k]]
    i.row("the exponential profile is better than the quadratic from K", "3", better[0], holds=better == [k for k in DIMENSIONS if k >= 3])
    for profile in ("linear", "quadratic"):
        more = [found["uniform"][k] - found[profile][k] for k in (20, 25)]
        i.row(f"gain in dB from K = 20 to 25, {profile}", "0.02", more[1] - more[0])
    i.verdict("reproduced", "The gain of a profile is that over the uniform one of the same D2.")


@item("inid-fig3", quick=True)
def figure_3(i):
    dimensions = [2, 3, 4, 5, 6, 8, 10, 15, 20, 25]
    panel = plot.Panel("K, number of answers", "Gini coefficient of the sensitivities", ylim=(0, 1))
    found = {}
    for profile in UNEQUAL:
        answers = i.all([["calibrate", "--sensitivities", sensitivities(profile, k, 2), "--inequality"] for k in dimensions])
        found[profile] = [a["gini"] for a in answers]
        panel.curve(profile, list(zip(dimensions, found[profile])), dots=True)
    i.figure("inid-fig3.svg", plot.draw(panel), "The more unequal the sensitivities, the larger the coefficient.")
    for profile, values in found.items():
        i.row(f"{profile}, K = 2", None, values[0])
    i.row("K = 2: quadratic above exponential", "yes", found["quadratic"][0] > found["exponential"][0], holds=found["quadratic"][0] > found["exponential"][0])
    i.verdict("reproduced", "At K = 2 the quadratic profile is the more unequal one; from K = 3 the exponential is.")


@item("inid-fig5", quick=True)
def figure_5(i):
    found = against_dimension(i, "laplace", 1, ("uniform", *UNEQUAL))
    one = decibels(i.json(*noise("laplace", "one-hot", 20, 1))["mse"])
    panel = dimension_panel(found, "Laplace, epsilon 0.5, D1 = 1").level("one-hot", one)
    i.figure("inid-fig5.svg", plot.draw(panel), "The exponential profile saturates: more answers of tiny sensitivity cost next to nothing.")
    i.row("saturation in dB, exponential", "14.243", found["exponential"][25], otherwise="misprint")
    i.row("saturation above one-hot, dB", "5.4", found["exponential"][25] - one)
    i.verdict("misprint", "Two digits changed places: 14.432, which is 5.4 dB above one-hot, as the paper says; 14.243 is not ([erratum 25](errata.md#erratum-25)).")


@item("inid-fig6", quick=True)
def figure_6(i):
    panels, worse, at = [], {}, {}
    for profile in ("uniform", "exponential"):
        lines = {f"{family} noise": against_dimension(i, family, 2, (profile,))[profile] for family in ("gaussian", "laplace")}
        panels.append(dimension_panel(lines, f"{profile} sensitivities, D2 = 1"))
        at[profile] = lines
        worse[profile] = [k for k in DIMENSIONS if lines["laplace noise"][k] > lines["gaussian noise"][k]]
    i.figure("inid-fig6.svg", plot.draw(*panels), "Epsilon 0.5; Gaussian noise at delta 1e-6, Laplace noise at delta 0.")
    i.row("smallest K at which Laplace is worse, uniform", "9", worse["uniform"][0])
    for k in (8, 9):
        pair = [10 ** (at["uniform"][f"{family} noise"][k] / 10) for family in ("laplace", "gaussian")]
        i.row(f"uniform, K = {k}: MSE of Laplace and of Gaussian noise", None, f"{pair[0]:.4f} and {pair[1]:.4f}")
    i.row("exponential: Laplace is better for all K", "yes", not worse["exponential"], holds=not worse["exponential"])
    i.verdict("reproduced", "Laplace noise of equal sensitivities has an MSE that grows like K^2, Gaussian noise one that grows like K; where they cross depends on delta.")
