# The members in their order.
show() { dpnoise convert "$@" --json | /usr/bin/python3 -c 'import json, sys; print(*json.load(sys.stdin))'; }
show 'zcdp(rho=0.02)' --delta 1e-6
show 'pure(epsilon=1)' --group 2 --epsilon 0.5
show 'gdp(mu=1)' --to zcdp
show 'gdp(mu=1)' --to renyi --order 3
show 'pure(epsilon=1)' --to gdp
