"""FH: Muthukrishnan and Kalyani, the flipped Huber mechanism. What needs the laws alone."""
import math

# Where the paper prints none: its formulas (11) and (12) evaluated with 60 digits.
NFI_FLIPPED_HUBER = {0.5: "1.033998", 1: "1.252579", 2: "1.896745", 3: "1.998614"}

# Table II: K = 20 coordinates of sensitivity 1, epsilon split evenly.
COORDINATES = 20
TABLE_II = {  # epsilon: (Laplace, staircase)
    "0.2": ("2e4", "19999.92"),
    "0.4": ("5000", "4999.92"),
    "1": ("800", "799.92"),
    "2.2": ("165.29", "165.21"),
    "5": ("32", "31.92"),
}


def flipped_huber(alpha, gamma):
    return f"flipped-huber(alpha={alpha!r},gamma={gamma!r})"


def best_staircase(epsilon):
    """The staircase law of least variance for a pure epsilon and sensitivity 1 (Geng and Viswanath)."""
    b = math.exp(-epsilon)
    c = (b * (1 + b) / 2) ** (1 / 3)
    gamma = b * (1 + 2 * b) / (2 * (c * c + c * b + b * b))
    return f"staircase(epsilon={epsilon!r},sensitivity=1,gamma={gamma!r})"


def truncated_laplace(epsilon, delta):
    """The truncated Laplace law for (epsilon, delta) and sensitivity 1 (Geng et al.)."""
    bound = math.log1p(math.expm1(epsilon) / (2 * delta)) / epsilon
    return f"truncated-laplace(scale={1 / epsilon!r},bound={bound!r})"


def figure_1(book):
    laws = [flipped_huber(a, g) for a, g in ((0, 1), (1, 1), (2, 1), (3, 1), (2, 2))]
    book.plot("FH Fig. 1: densities", "fh-fig1.svg", laws,
              "Flipped Huber densities; rings at the transition points. The paper does not give its parameters; these "
              "are ours. alpha = 0 is the Gaussian.")


def figure_2(book):
    for ratio, printed in NFI_FLIPPED_HUBER.items():
        book.law_value(f"FH Fig. 2: NFI at alpha/gamma = {ratio}", printed, flipped_huber(ratio, 1), "nfi", "reference")


def table_ii(book):
    for epsilon, (laplace, staircase) in TABLE_II.items():
        each = float(epsilon) / COORDINATES
        where = f"FH Table II: epsilon = {epsilon}"
        book.law_value(f"{where}, Laplace variance", laplace, f"laplace(scale={1 / each!r})")
        book.law_value(f"{where}, staircase variance", staircase, best_staircase(each))


def figure_3a(book):
    # At epsilon = 3 the paper gives no more than a hundredth of the value at 0.3.
    book.law_value("FH Fig. 3a: truncated Laplace, epsilon = 0.3", "22.21", truncated_laplace(0.3, 1e-6))
    book.law_value("FH Fig. 3a: truncated Laplace, epsilon = 3", "0.2222188406", truncated_laplace(3.0, 1e-6),
                   source="reference")


def figure_6(book):
    # The paper sets the variance to 16; alpha and m are the roots, to seven digits.
    book.law_value("FH Fig. 6: variance, Gaussian", "16", "gaussian(sigma=4)")
    book.law_value("FH Fig. 6: variance, flipped Huber", "16.0000", flipped_huber(17.2379, 7))
    book.law_value("FH Fig. 6: variance, OSGT", "16.0000", "osgt(m=11.02,sigma=7)")


def write(book):
    figure_1(book)
    figure_2(book)
    table_ii(book)
    figure_3a(book)
    figure_6(book)
    book.later("FH Fig. 3 (Gaussian, OSGT, flipped Huber; heat maps)", "calibration to (epsilon, delta)")
    book.later("FH Fig. 4, Table II (flipped Huber)", "the privacy engine in K dimensions, calibration")
    book.later("FH Fig. 5, Fig. 7 (privacy losses), Table I, Fig. 6 (curves)", "the privacy engine")
    book.later("FH Table III", "minutes: paper/descent.py writes docs/paper/descent.md")
