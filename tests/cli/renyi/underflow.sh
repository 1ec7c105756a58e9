# What underflows is not 0: an upper bound of a divergence, and of zCDP, is positive wherever an answer can move.
positive() { /usr/bin/python3 -c '
import json, sys
answer = json.load(sys.stdin)
print(answer["divergence"] > 0, answer["zcdp"]["eta"] > 0)'; }
dpnoise renyi 'gaussian(sigma=1e150)' --sensitivity 1e-20 --order 2 --json | positive
# Where no interval of the accuracy can be had there is none.
for law in 'laplace(scale=1e150)' 'osgt(m=1e-20,sigma=1e150)'; do
    dpnoise renyi "$law" --sensitivity 1e-20 --order 2 >/dev/null || echo $?
done
dpnoise renyi 'gaussian(sigma=1)' --sensitivity 0 --order 2 --json | positive
