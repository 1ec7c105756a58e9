# For people: nothing that bounds from above is rounded down, what is needed is not rounded up.
dpnoise convert 'pure(epsilon=1)' --epsilon 0.5
dpnoise convert 'zcdp(rho=0.001)' --epsilon 3
dpnoise convert 'pure(epsilon=1)' --to renyi --order 2
dpnoise convert 'approximate(epsilon=1,delta=1e-6)' --to add-remove
# No finite epsilon is exit 4, answer or not, so that a script does not go on.
dpnoise convert 'approximate(epsilon=1,delta=1e-6)' --delta 1e-7 2>/dev/null || echo "exit code $?"
dpnoise convert 'pure(epsilon=0.5)' --group 3
dpnoise convert 'gdp(mu=2)' --to zcdp
