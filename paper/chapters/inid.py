"""INID: Muthukrishnan and Kalyani, non-identical additive noise."""


def write(book):
    book.later("INID Figs. 1 to 6, Gini coefficients", "calibration to (epsilon, delta) with unequal sensitivities")
