"""OSGT: Sadeghi and Korki, offset-symmetric Gaussian tails. What needs the law alone."""
import math

SIGMA_FIG_3 = math.sqrt(40)


def osgt(m, sigma):
    return f"osgt(m={m!r},sigma={sigma!r})"


def variances(book):
    book.law_value("OSGT Fig. 3: variance, m = 3, sigma^2 = 40", "27.7047", osgt(3, SIGMA_FIG_3))
    book.law_value("OSGT Fig. 4b: variance, m = 2, sigma^2 = 20", "14.13722", osgt(2, math.sqrt(20)),
                   source="reference")
    book.law_value("OSGT Fig. 6: variance, m = 15, sigma^2 = 630 (about 400)", "398.217", osgt(15, math.sqrt(630)),
                   source="reference")


def figure_2(book):
    squares = [1 + i * 99 / 120 for i in range(121)]
    curves = []
    for m, title in ((3, "m = 3"), (10, "m = 10"), (0, "m = 0 (Gaussian)")):
        laws = book.laws([osgt(m, math.sqrt(s)) for s in squares])
        curves.append((title, [(s, law["variance"]) for s, law in zip(squares, laws)]))
    book.draw("OSGT Fig. 2: variance against sigma^2", "osgt-fig2.svg",
              "set xlabel 'sigma^2' noenhanced\nset ylabel 'variance'\n", curves,
              "The paper does not give its two values of m; these are ours.",
              "dpnoise law 'osgt(m=M,sigma=S)' for each M and S")


def figure_3(book):
    variance = book.law(osgt(3, SIGMA_FIG_3))["variance"]
    laws = [osgt(3, SIGMA_FIG_3), f"gaussian(sigma={math.sqrt(variance)!r})",
            f"laplace(scale={math.sqrt(variance / 2)!r})"]
    book.plot("OSGT Fig. 3a: densities of one variance", "osgt-fig3a.svg", laws,
              "The offset-symmetric Gaussian law between the Gaussian and Laplace of its variance.")
    points = [i / 4 for i in range(161)]
    answers = book.laws(laws, "--at", ",".join(map(repr, points)))
    curves = [(name, [(p["t"], p["log_sf"] / math.log(10)) for p in answer["at"]])
              for name, answer in zip(("OSGT", "Gaussian", "Laplace"), answers)]
    book.draw("OSGT Fig. 3b: survival functions of one variance", "osgt-fig3b.svg",
              "set xlabel 't'\nset ylabel 'P(X > t)'\nset format y '10^{%g}'\nset ytics 2\nset yrange [-14:0]\n"
              "set key bottom left\n", curves, "The tail is heavier than the Gaussian's and lighter than Laplace's.",
              " ".join(["dpnoise law", *(f"'{law}'" for law in laws), "--at T for each T"]))


def write(book):
    variances(book)
    figure_2(book)
    figure_3(book)
    book.later("OSGT Fig. 1", "nothing: it is a sketch of the construction")
    book.later("OSGT Figs. 4, 5, 6 (curves)", "the privacy engine")
