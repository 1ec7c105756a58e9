"""Errata of KN, and what two papers share."""
import math

from book import item
from chapters import ask
from chapters.slip import slip

FEATURES = ",".join(f"x{n}:-1:1" for n in range(1, 8))
ROW = {"rows.csv": "y,x1,x2,x3,x4,x5,x6,x7\n1,0,0,0,0,0,0,0\n"}
DRY = ["fit", "logistic", "rows.csv", "--target", "y:0:1", "--features", FEATURES, "--method", "objective", "--ball", "linf", "--relation", "replace"]


def noise_of(i, share, epsilon):
    return i.json(*DRY, "--share", share, "--epsilon", epsilon, "--dry-run", files=ROW)["releases"][0]


@item("erratum-32", quick=True)
def objective(i):
    for q, epsilon in ((0.5, 1.0), (0.85, 0.0625)):
        i.row(f"gamma/lambda as printed, q {q:g}, epsilon {epsilon:g}", "positive", 1 / math.expm1(epsilon * (q - 1)), holds=False, otherwise="misprint")
        i.row(f"gamma/lambda with exp(epsilon (1 - q)), q {q:g}, epsilon {epsilon:g}", "positive", 1 / math.expm1(epsilon * (1 - q)), holds=True)
    block = noise_of(i, "0.5", "1")["plan"][0]
    i.row("the library's K-norm noise for logistic loss, m = 7: Delta_inf", "2", block["sides"][0])
    slip(i, "misprint", "Section 4, Algorithm 2, (8): gamma = lambda/(exp(epsilon (q - 1)) - 1); Algorithm 1, step 3: theta'V in the quadratic term.", "exp(epsilon (1 - q)/r), r the rank of one record's Hessian; theta'theta.",
         "As printed gamma is negative and the objective not convex. Theorem 4.1 needs r = 1, which holds for the generalised linear models it is used for; for x lambda/2 |theta|^2 in three dimensions, x in {0, 1}, q = 1/2, the density ratio at 0 reaches exp(1.5 epsilon).")


@item("erratum-33", quick=True)
def radius(i):
    found = [i.json("knorm", "depth", "k2", "--prob", p)["concentration"][0] for p in ("0.5", "0.99", "0.999999")]
    for p, one in zip(("0.5", "0.99", "0.999999"), found):
        i.row(f"the norm within which the noise stays with probability {p}", "1", one["radius"], otherwise="misprint")
    slip(i, "misprint", "Algorithm 8 releases T(X) + U, U uniform in K.", "T(X) + r U with r of Gamma(m + 1), which the algorithm draws and does not use. The box of proposals must contain K: its half-width is the largest |u|_inf in K.",
         "As printed the noise would be bounded and no epsilon would hold. `dpnoise knorm sample` draws the right one.")


@item("erratum-34", quick=True)
def area(i):
    i.row("area of the hull of Example 2.10 (printed set: 44/3)", f"{44 / 3:.6g}", i.json("knorm", "volume", "k2")["volume"], otherwise="misprint")
    i.row("40/3, as in Example 2.10", f"{40 / 3:.6g}", i.json("knorm", "volume", "k2")["volume"])
    slip(i, "misprint", "Example 7.1: span, and 2 - (1 - u1)^2.", "Hull, and 2 - 2(|u1| - 1)^2.", "The printed set has area 44/3; the paper's own volume 13.33 is that of the corrected one.")


@item("erratum-35", quick=True)
def space(i):
    inside = i.json("knorm", "norm", "k2", "--at", "0,2")["norm"]
    i.row("norm in K_2 of (0, 2), which no replaced record reaches: |u2| <= 2 - 2 (1 - |u1|)^2 = 0 there", "above 1", inside, holds=inside > 1, otherwise="misprint")
    slip(i, "misprint", "Section 5.1: K_2 is the sensitivity space of Example 2.10.", "It is its convex hull.", "The space itself is not convex; the mechanism needs the hull, which is what is used.")


@item("erratum-36", quick=True)
def copies(i):
    both = i.json("knorm", "volume", "regression(1)", keep=True)["volume"]
    hull = i.json("knorm", "volume", "regression-hull(16)")["volume"]
    i.row("volume of the intersection of copies of K_2 and K_3, p = 1 (random points)", "equal to the hull's", both, holds=abs(both / hull - 1) < 0.01)
    i.row("volume of the hull, at most (16 pieces of the parabola)", None, hull)
    i.row("entropy above the hull's, nats", None, math.log(both / hull))
    slip(i, "not reproduced", "Section 5.1: K_T consists of copies of K_2 and K_3, and is an exact implementation of the optimal K-norm mechanism.",
         "K_T is larger than the hull already for p = 1: u = (0, 2, 0, 2) meets all constraints, and the hull's support in direction (0, 1, 0, 2) is 4.5, not 6.", "K_T is a norm ball that contains the space, so the mechanism is epsilon-private as claimed; it is not the optimal one.")


@item("erratum-37", quick=True)
def corners(i):
    theta = [-0.995 * 6000, 6000.0]
    records = (1, 1), (-1, -0.99)
    first, second = (1 / (1 + math.exp(-sum(t * x for t, x in zip(theta, row)))) for row in records)
    move = [first * a - second * b for a, b in zip(*records)]
    for n, value in enumerate(move, 1):
        i.row(f"entry {n} of the difference of gradients at theta = 6000 (-0.995, 1), X = (1, 1) and (-1, -0.99), Y = 0", None, value)
    norm = i.json("knorm", "norm", "linf(2,2)", "--at", ",".join(f"{m:.6f}" for m in move))["norm"]
    i.row("its norm in the box of sides 2", None, norm)
    slip(i, "improved upon", "Section 4.1: l_inf does best of the norms; the simulated space has one coordinate at its bound.", "Corners (2, ..., 2) are limits of differences of gradients, so that l_inf is exactly optimal.", "The simulation saw an inner set. The claim is stronger than stated.")


@item("erratum-38", quick=True)
def rate(i):
    one = i.json("knorm", "depth", "linf(2,1)", "--at", "1,0", "--epsilon", "1")
    i.row("variance along e = (1, 0) in the box of sides 2, 1: m(m + 1)/(epsilon^2 |e|^2), |e| = 1/2", f"{2 * 3 / 0.25:g}", one["conditional_variance"])
    slip(i, "misprint", "Lemma 3.16(2): rate |e|_K^-1; Theorem 3.17's proof: the variance of V'e.", "The rate is a |e|_K; V'e is signed, so that its variance is m(m + 1) Delta^2/(epsilon^2 |e|_K^2), where the Gamma's alone is m Delta^2/(epsilon^2 |e|_K^2).", "The proof of the lemma has the right rate, and the order of Theorem 3.17 is not affected.")


@item("erratum-39", quick=True)
def section_3(i):
    centre = i.json("knorm", "depth", "k2", "--at", "0,0")["depth"]
    far = i.json("knorm", "depth", "k2", "--at", "40,40")["depth"]
    i.row("depth at the centre is the largest, 1", "1", centre)
    i.row("and falls to 0", "0", round(far, 6))
    holds = i.json("knorm", "check", "k2", keep=True)["holds"]
    i.row("Lemma 3.4 by 10000 draws: |V|_K is Gamma(m)", "yes", holds, holds=holds)
    slip(i, "misprint", "Lemma 3.5's proof, Lemma 3.4's proof, Defs. 3.9 and 3.10, Lemma 7.2, (A2).",
         "f_V decreases in |v|_K, so that the sets are {|v|_K <= t}; the exponent k is m; inf is sup; in \"more dispersed\" the inclusion is reversed; |det A|; (A2)'s minimum is a maximum.", "Slips of writing; the statements are used the right way.")


# ---- Found later ----
@item("erratum-42", quick=True)
def numbering(i):
    i.json("knorm", "compare", "linf(100,1)", "l1(110,11)")
    slip(i, "misprint", "KN section 5 cites Theorem 3.4, section 6's text swaps H and K, Def. 3.1 says \"over H\"; FH's problem has 1/n, its Algorithm 3 sigma_j.", "Theorem 3.19; K is the rectangle and H the diamond, as in Fig. 6 and Table 1; over W; 1/N; sigma_i.", "Names.")


@item("erratum-43", quick=True)
def decibels(i):
    found = {}
    for k in (3, 5):
        gaussian = ask.least(i, "gaussian", ["0.3"], "1e-8", "--sensitivity", "1", "--dim", str(k))[0]["mse"]
        flipped = ask.least(i, "flipped-huber", ["0.3"], "1e-8", "--sensitivity", "1", "--dim", str(k))[0]["mse"]
        found[k] = ask.decibels(gaussian / flipped)
        i.row(f"FH Fig. 4: gain over Gaussian at epsilon 0.3, K = {k}, in dB", None, found[k])
    i.row("its fall from K = 3 to 5, in dB", "1.7", found[3] - found[5])
    slip(i, "not reproduced", "FH section V-B: the gain falls by 1.7 dB from K = 3 to 5. INID section V-B: 14.243 dB.", "2.22 dB; 14.432 dB ([erratum 25](#erratum-25)).", "The first follows from variance 502 ([erratum 12](#erratum-12)), the second is two digits in the wrong order.")


@item("erratum-45", quick=True)
def caption(i):
    noise_of(i, "0.5", "0.0625")
    slip(i, "misprint", "KN Fig. 3: n = 10^4 in the text, 10^5 in the caption.", "10^4: with it l_inf reaches 1 near epsilon 1/16 and l1 near 1/8, as printed ([KN Fig. 3](kn.md#kn-fig3)).", "At 10^5 the error at 1/16 would be an eighth of that.")


@item("erratum-46", quick=True)
def scaling(i):
    i.json("fit", "linear", "rows.csv", "--target", "y:-8:8", "--features", "x1:-1:1,x2:-1:1,x3:-1:1,x4:-1:1,x5:-1:1", "--method", "functional", "--ball", "linf", "--relation", "replace", "--epsilon", "1", "--dry-run", files=ROW)
    slip(i, "improved upon", "KN Fig. 4: Y is normal around X beta, and the mechanism needs it in [-1, 1]; how it is scaled is not said.", "Dividing by max |Y| of the data reproduces the figure ([KN Fig. 4](kn.md#kn-fig4)).", "That divisor depends on the data and is not private. A release declares a bound, say 8, and clamps.")
