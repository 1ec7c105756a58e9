# The cautionary example: marginal variances 40000, 4 and 24200, 242; losses as in closed form (l2: quadrature in mpmath).
dpnoise knorm compare 'linf(100,1)' 'l1(110,11)' --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
k, h = answer["rows"]
def near(a, b): return abs(a - b) <= 1e-9 * abs(b)
print(all(near(a, b) for a, b in zip(k["variance"] + h["variance"], [40000, 4, 24200, 242])))
print(near(k["linf"], 150.005), near(k["l1"], 151.5), near(h["linf"], 111), near(h["l1"], 121))
print(round(k["l2"], 3), round(h["l2"], 3), k["inside"], h["inside"])
print(answer["best"], "warning" in answer)'
