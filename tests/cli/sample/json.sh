# The members, and samples on the grid. Of 10^5 draws mean and variance are within 6 standard errors: a false alarm of 4e-9.
dpnoise sample 'laplace(scale=3)' --count 100000 --grid 0.125 --json >s.json
/usr/bin/python3 - <<'END'
import json
from fractions import Fraction

o = json.load(open("s.json"), parse_float=Fraction, parse_int=Fraction)
n, x = len(o["samples"]), o["samples"]
print(*o, o["law"], str(o["grid"]), o["count"] == n == 100000)
print(all((8 * v).denominator == 1 for v in x))
mean, square = float(sum(x)) / n, float(sum(v * v for v in x)) / n
print(abs(mean) < 6 * (18 / n) ** 0.5, abs(square - 18 - 1 / 768) < 6 * 18 * (5 / n) ** 0.5)
END
