# The members in their order, for one law and for several.
members='import json, sys
def names(v): return list(v) if isinstance(v, dict) else []
d = json.load(sys.stdin)
for law in d.get("laws", [d]):
    print(*names(law))
    for part in "at", "quantiles", "mgf": print(part, len(law[part]), *names(law[part][0]) if law[part] else [])'
dpnoise law 'laplace(scale=1)' --at 1 --at 2 --prob 0.5 --mgf 0.5,0.25,0 --json | /usr/bin/python3 -c "$members"
dpnoise law 'laplace(scale=1)' 'gaussian(sigma=1)' --at 1 --json | /usr/bin/python3 -c "$members"
