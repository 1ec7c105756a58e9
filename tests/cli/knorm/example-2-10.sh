# Example 2.10 from its space: sensitivities 3.125, sqrt(71 + 8 sqrt 2)/4, 2; volumes 19.53125, 16.16226, 16; the hull is near 40/3.
# dear: a hull of three thousand points; right-hand compares over a space of two
python3 -c '
for i in range(-800, 801):
    u = i / 400
    for s in (-1, 1): print(u, s * (2 - 2 * (1 - abs(u)) ** 2))' >space
dpnoise knorm compare l1 l2 linf --space space --json | python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]: print(row["ball"], "%.4f %.3f" % (row["sensitivity"], row["volume"]), row["inside"])'
