"""KN: Awan and Slavkovic, K-norm mechanisms."""
from book import item


@item("kn-prop321", quick=True)
def volumes(i):
    for ball, exact in (("l1(1,1,1)", "4/3"), ("l2(1,1,1)", "4 pi/3"), ("linf(1,1,1)", "8")):
        value = i.json("knorm", "volume", ball)["volume"]
        i.row(f"{ball[:-7]}, m = 3, {exact}", {"4/3": "1.333333", "4 pi/3": "4.188790", "8": "8"}[exact], value)
    i.verdict("reproduced", "The formula (2 Gamma(1+1/p))^m/Gamma(1+m/p).")
