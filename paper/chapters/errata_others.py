"""Errata of INID and of OSGT."""
import math

from book import item
from chapters import ask, printed
from chapters.inid import sensitivities
from chapters.osgt_figures import same_variance
from chapters.osgt_theory import LAW, SIGMA
from chapters.slip import slip

ONES = ",".join(["1"] * 20)


# ---- INID ----
@item("erratum-21", quick=True)
def norms(i):
    for family, delta in (("gaussian", "1e-6"), ("laplace", "0")):
        histogram = i.json("calibrate", family, "--epsilon", "1", "--delta", delta, "--histogram", "20", "--relation", "replace")["mse"]
        box = i.json("calibrate", family, "--epsilon", "1", "--delta", delta, "--sensitivities", ONES)["mse"]
        i.row(f"{family}: MSE of noise by the profile of sensitivities is at most that of identical noise, {histogram:.6g}", "yes", f"{box:.6g}", holds=box <= histogram * (1 + 1e-9))
    slip(i, "not reproduced", "D_p = |lambda|_p, and with it that noise of its own for each answer is never worse.",
         "D_p <= |lambda|_p, with equality where one pair of neighbours moves every answer by its bound. In a histogram of 20 cells, where a replaced row moves two, identical noise has a tenth (Gaussian) and a hundredth (Laplace) of the error.",
         "Theorem 4's \"only if\", kappa >= 1 and \"always better\" hold for boxes, which is what the experiments use.")


@item("erratum-22", quick=True)
def laplace(i):
    for k, scale, epsilon in ((2, "1", "0.5"), (20, "30", "0.3")):
        one = ask.profile(i, f"laplace(scale={scale})", "--sensitivity", "1", "--dim", str(k), "--epsilon", epsilon, "--condition", "inid-laplace")[0]
        i.row(f"K {k}, scale {scale}, epsilon {epsilon}: delta, necessary and sufficient", f"{one['condition_delta']:.4g}", one["delta"])
    slip(i, "not reproduced", "Section II-A2: [1 - exp((epsilon - D1/beta)/2)]_+ <= delta is necessary and sufficient for K answers. The section also says i.i.d. where i.n.i.d. is meant.",
         "It is sufficient; necessary only if one answer alone may move by D1.", "For a box, which D_p = |lambda|_p implies, the exact delta is smaller, up to a hundred times here.")


@item("erratum-23", quick=True)
def symbols(i):
    plan = i.json("calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-6", "--sensitivities", "1,0,2")
    i.row("variance of the answer that cannot move", "0", plan["variance"][1])
    i.row("variance of the others over lambda: equal", f"{plan['variance'][0]:.7g}", plan["variance"][2] / 2)
    slip(i, "misprint", "(P1), (P2) mix M and M_0; (9) is a derivative.", "(9) reads tau_i = 2(sigma_i - tau_0 lambda_i^2/sigma_i^3). With lambda_i = 0 the optimum is sigma_i = 0, and its 0/0 is left out of M.", "Symbols; Theorem 5 is right.")


@item("erratum-24", quick=True)
def bracket(i):
    none = i.json("calibrate", "gaussian", "--epsilon", "0", "--delta", "1e-6", "--sensitivity", "1")
    sigma = float(none["law"].partition("=")[2].rstrip(")"))
    i.row("epsilon 0, delta 1e-6: w_0 = 1/(2 Q^-1((1 - delta)/2))", f"{-1 / (2 * printed.NORMAL.inv_cdf((1 - 1e-6) / 2)):.6g}", sigma)
    for epsilon, delta in (("1", "0.7"), ("1e-6", "1e-6")):
        one = i.json("calibrate", "gaussian", "--epsilon", epsilon, "--delta", delta, "--sensitivity", "1")
        quantile = -printed.NORMAL.inv_cdf(float(delta))
        upper = (quantile + math.sqrt(quantile ** 2 + 2 * float(epsilon))) / (2 * float(epsilon))
        i.row(f"epsilon {epsilon}, delta {delta}: w_0 (the bracket of Algorithm 1 ends at {upper:.4g})", None, math.sqrt(one["variance"][0]))
    slip(i, "misprint", "Algorithm 1 starts from [0, (q + sqrt(q^2 + 2 epsilon))/2 epsilon], q = Q^-1(delta).",
         "Undefined at epsilon = 0, infinite at delta = 0; for delta > 1/2 the upper end cancels (use 1/(sqrt(q^2 + 2 epsilon) - q)), for small epsilon it is far too wide, and an absolute tolerance of w means nothing for w << 1 or >> 1.",
         "Inside these limits the algorithm is right; a relative tolerance and the root at epsilon = 0 as another upper end mend the rest.")


@item("erratum-25", quick=True)
def saturation(i):
    found = [ask.decibels(ask.least(i, "laplace", ["0.5"], "0", "--sensitivities", sensitivities("exponential", k, 1))[0]["mse"]) for k in (20, 25)]
    i.row("MSE of Laplace noise, exponential profile, K = 20, in dB", "14.243", found[0], otherwise="misprint")
    i.row("K = 25", None, found[1])
    i.row("above one-hot, in dB", "5.4", found[1] - ask.decibels(8))
    slip(i, "misprint", "Section V-B: saturates at 14.243 dB.", "14.432 dB.", "Two digits changed places; 5.4 dB above one-hot, in the same sentence, is right.")


# ---- OSGT ----
@item("erratum-26", quick=True)
def constant(i):
    for one in i.json("renyi", LAW, "--sensitivity", "1", "--order", "1.0001,2,10", "--bound", "osgt-16", "--bound", "osgt-constant")["renyi"]:
        zeta = one["bounds"]["osgt-16"] - one["order"] / 80
        i.row(f"zeta of (18) at order {one['order']:g}", "constant", zeta, holds=False)
        i.row(f"zeta of a line that holds for all orders, at {one['order']:g}", None, one["bounds"]["osgt-constant"] - one["order"] / 80)
    slip(i, "improved upon", "Introduction: (zeta, D2^2/sigma^2)-zCDP with a constant zeta.", "rho is D2^2/2 sigma^2, as in (17); zeta depends on the order and grows without limit towards 1.",
         "Theorem 2 is a sound bound of each Renyi divergence. (m D1/sigma^2, D2^2/2 sigma^2)-zCDP holds.")


@item("erratum-27", quick=True)
def restriction(i):
    for b in ("0.6745", "1.5", "5"):
        one, gaussian = i.laws([f"osgt(m={b},sigma=1)", "gaussian(sigma=1)"], "--mgf", "0.5,2,5")
        below = all(a["log_mgf"] <= b["log_mgf"] for a, b in zip(one["mgf"], gaussian["mgf"]))
        i.row(f"E exp(sY) is at most exp(s^2/2) at s = 0.5, 2, 5, m/sigma = {b}", "yes", below, holds=below)
    at = i.json("law", LAW, "--at", "0")["at"][0]["pdf"]
    i.row("density at 0 with the normaliser 2 sqrt(2 pi sigma^2) Q(b)", f"{math.exp(-9 / 80) / (2 * math.sqrt(2 * math.pi * 40) * printed.q(3 / SIGMA)):.7g}", at)
    slip(i, "improved upon", "Prop. 2 asks for m/sigma <= 0.6745; the normaliser is printed without a square.", "Prop. 2 holds for every m; the normaliser has sqrt(2 pi sigma^2).", "The density over the Gaussian's is exp(-m|y|/sigma^2) up to a constant and falls in |y|.")


@item("erratum-28", quick=True)
def proposition_1(i):
    i.row("(9) at m 3, sigma^2 40", f"{printed.osgt_variance(3, SIGMA):.7g}", i.json("law", LAW)["variance"])
    slip(i, "misprint", "Proof of Prop. 1: an integral of exp(-(y + m)^2/2 sigma^2).", "It is that of exp(-(y^2 + 2 m y)/2 sigma^2).", "(9) is right.")


@item("erratum-29", quick=True)
def appendix_c(i):
    found = [ask.delta(i, LAW, "0.5", "--sensitivity", d) for d in ("0.25", "0.5", "0.75", "1")]
    for d, value in zip(("0.25", "0.5", "0.75", "1"), found):
        i.row(f"delta at epsilon 0.5, shift {d}", None, value)
    rising = all(a < b for a, b in zip(found, found[1:]))
    i.row("App. C's conclusion: delta increases with the shift", "yes", rising, holds=rising)
    slip(i, "misprint", "App. C: mu = D/2 sigma^2, and g'(rho).", "mu = D^2/2 sigma^2; in g'(rho) the second term with epsilon has the opposite sign, so that the two cancel, and 1/sqrt(2 pi) is missing.", "The conclusions are right.")


@item("erratum-30", quick=True)
def cancels(i):
    m, sigma, d, a = 1.0, 0.5, 1.0, 5.0
    bracket = printed.q(-(a * d + (2 * a - 1) * m) / sigma) - printed.q(-((a - 1) * d + (2 * a - 1) * m) / sigma)
    i.row("the bracket of (56) in double precision, m 1, sigma 0.5, D 1, order 5", "positive", bracket, holds=bracket > 0, otherwise="misprint")
    i.row("the divergence", None, ask.points(i.json("renyi", "osgt(m=1,sigma=0.5)", "--sensitivity", "1", "--order", "5"), "renyi")[0]["divergence"])
    slip(i, "improved upon", "(56) has Phi(b3) - Phi(b4) times an exponential; that delta increases with D was \"checked numerically\".",
         "Evaluated as printed the difference is 0 in double precision and more than 117 digits are lost; with scaled error functions the exponents cancel before they are evaluated.",
         "(56) is exact; and monotonicity is a theorem for every symmetric log-concave law.")


@item("erratum-31", quick=True)
def eight(i):
    law = f"osgt(m=15,sigma={math.sqrt(630)!r})"
    one = ask.profile(i, law, "--sensitivity", "1", "--dim", "8", "--epsilon", "0.9", "--condition", "osgt-21")[0]
    two = ask.profile(i, same_variance(i, law)[0], "--sensitivity", "1", "--dim", "8", "--epsilon", "0.9", "--condition", "osgt-22")[0]
    i.row("OSGT by (21)", "1.44e-14", one["condition_delta"], otherwise="improved upon")
    i.row("Gaussian by (22)", "2.23e-11", two["condition_delta"])
    i.row("OSGT, exact", None, one["delta"])
    i.row("Gaussian, exact", None, two["delta"])
    i.row("V (\"about 400\")", None, i.json("law", law)["variance"])
    slip(i, "improved upon", "k = 8, epsilon 0.9: 1.44e-14 against 2.23e-11.", "1.2287e-14 at the best order, 71.66, against 2.2297e-11, which is at V = 398.2.", "A coarse grid of orders, we suppose. The comparison stands; exactly the two are 1.67e-15 and 3.60e-12.")


@item("erratum-41", quick=True)
def superior(i):
    orders = "2,4.8,4.9,12,12.5"
    ours = i.json("renyi", LAW, "--sensitivity", "1", "--order", orders, "--bound", "osgt-16")["renyi"]
    theirs = i.json("renyi", same_variance(i, LAW)[0], "--sensitivity", "1", "--order", orders)["renyi"]
    for p, q in zip(ours, theirs):
        i.row(f"order {p['order']:g}: OSGT's divergence is below the Gaussian's {q['divergence']:.5g}", "yes", f"{p['divergence']:.5g}", holds=p["divergence"] < q["divergence"])
        i.row(f"order {p['order']:g}: (16)", None, p["bounds"]["osgt-16"])
    slip(i, "not reproduced", "Fig. 5: OSGT is superior.", "Its exact divergence is above the Gaussian's of equal variance below order 4.85, and (16) below 12.2.", "True of the orders that matter for small delta.")
