"""The talk on FH: its parameters, and the normalised Fisher information of flipped Huber and Huber laws."""
from chapters.fh import flipped_huber

# (epsilon, alpha, gamma) and the variance of that law, evaluated with 60 digits.
PARAMETERS = [("0.5", 20.48, 6.4, "7.99816"), ("2", 6.48, 1.8, "0.4999908"), ("4", 4.0, 1.0, "0.12499987")]
NFI_HUBER = {0.5: "1.726501", 1: "1.313413", 2: "1.022469", 3: "1.000646"}


def huber(alpha, gamma):
    return f"huber(alpha={alpha!r},gamma={gamma!r})"


def parameters(book):
    for epsilon, alpha, gamma, variance in PARAMETERS:
        book.law_value(f"talk, parameters: variance at epsilon = {epsilon}", variance, flipped_huber(alpha, gamma),
                       source="reference")


def fisher(book):
    for ratio, value in NFI_HUBER.items():
        book.law_value(f"talk: NFI of huber at alpha/gamma = {ratio}", value, huber(ratio, 1), "nfi", "reference")
    ratios = [i / 20 for i in range(1, 81)]
    flipped = [(r, law["nfi"]) for r, law in zip(ratios, book.laws([flipped_huber(r, 1) for r in ratios]))]
    plain = [(r, law["nfi"]) for r, law in zip(ratios, book.laws([huber(r, 1) for r in ratios]))]
    gaussian, laplace = (law["nfi"] for law in book.laws(["gaussian(sigma=1)", "laplace(scale=1)"]))
    curves = [("flipped Huber", [(0.0, book.law(flipped_huber(0, 1))["nfi"])] + flipped), ("Huber", plain),
              ("Gaussian", [(0.0, gaussian), (ratios[-1], gaussian)]),
              ("Laplace", [(0.0, laplace), (ratios[-1], laplace)])]
    book.draw("FH Fig. 2 and talk: normalised Fisher information", "fh-fig2.svg",
              "set xlabel 'alpha/gamma'\nset ylabel 'Fisher information x variance'\nset yrange [0.9:2.1]\n"
              "set key center right\n", curves,
              "The flipped Huber law goes from the Gaussian (1, the least of all laws) to Laplace (2) as alpha grows; "
              "the Huber law goes the other way.",
              "dpnoise law 'flipped-huber(alpha=R,gamma=1)' 'huber(alpha=R,gamma=1)' for each ratio R")


def write(book):
    parameters(book)
    fisher(book)
    book.later("talk: calibrated densities, K = 20 table", "calibration to (epsilon, delta)")
    book.later("talk: DP-CD tables, improved DP-CD", "minutes: paper/descent.py writes docs/paper/descent.md")
