# The members in their order: one order, several, several laws, a composition.
members='import json, sys
d = json.load(sys.stdin)
print(*d)
for part in "renyi", "laws", "parts": print(*[" ".join(x) for x in d.get(part, [])][:1])'
show() { dpnoise renyi "$@" --json | /usr/bin/python3 -c "$members" | grep .; }
show 'gaussian(sigma=1)' --sensitivity 1 --order 2
show 'gaussian(sigma=1)' --sensitivity 1 --order 2 --order 3,4
show 'gaussian(sigma=1)' 'truncated-laplace(scale=1,bound=2)' --sensitivity 1 --order 2
show --law 'gaussian(sigma=1)' --sensitivity 1 --order 2
