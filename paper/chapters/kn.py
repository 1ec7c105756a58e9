"""KN: Awan and Slavkovic, K-norm mechanisms."""


def write(book):
    book.later("KN Figs. 1, 2, 6, Table 1, marginal variances", "norm balls and the K-norm mechanism")
    book.later("KN Figs. 3, 4, 5", "private regression")
