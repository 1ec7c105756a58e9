# No delta of 0 from zCDP, however deep; and the largest mu at a tiny delta.
for from in 'zcdp(rho=1e-109)' 'zcdp(rho=1e-320)'; do
    dpnoise convert "$from" --epsilon 1e100 --json | /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["delta"] > 0)'
done
dpnoise convert 'approximate(epsilon=0,delta=1e-200)' --to gdp --json | \
    /usr/bin/python3 -c 'import json, sys; print(abs(json.load(sys.stdin)["mu"] / 2.5066282746310002e-200 - 1) < 1e-9)'
