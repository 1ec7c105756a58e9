# Sums along chains at 40 digits. A group of one is what was given.
dpnoise convert 'approximate(epsilon=1,delta=1e-6)' --group 3 --json |
    near epsilon=3 delta=0.00001110733792738969546259071493192767031094 label=bound rule=group group=3
dpnoise convert 'approximate(epsilon=1,delta=1e-6)' --to replace-one --json |
    near epsilon=2 delta=0.000003718281828459045235360287471352662 label=bound
dpnoise convert 'approximate(epsilon=1,delta=1e-6)' --to add-remove --json |
    near epsilon=0.5 delta=0.0000003775406687981454353610994342544915212467 rule=needed
dpnoise convert 'zcdp(xi=1,rho=0.5)' --group 4 --json | near xi=8.333333333333333333333333333 rho=8 label=bound
dpnoise convert 'zcdp(rho=0.5)' --group 4 --json | near xi=0 rho=8 label=exact
dpnoise convert 'pure(epsilon=0.5)' --group 4 --json | near epsilon=2 label=exact
dpnoise convert 'pure(epsilon=0.5)' --group 1 --json | near epsilon=0.5 label=exact
dpnoise convert 'gdp(mu=0.5)' --group 2 --epsilon 1 --json |
    near 1e-10 delta=0.1269367375066439458008296247577668804151 label=exact group=2

# Under pure privacy a chain of three neighbours is discrete Laplace noise at shift 3: sums of its probabilities beyond a loss of 2,
# (e^3 - e^2)/(e^3 + e^2) there; its curve touches the Gaussian's at
# P(N > mu/2) = e^-2/(1 + e^-1).
dpnoise convert 'pure(epsilon=1)' --group 3 --epsilon 2 --json | near 1e-12 delta=0.46211715726000975 label=exact
dpnoise convert 'pure(epsilon=1)' --group 3 --delta 0.46211715726000975 --json | near 1e-9 epsilon=2 label=exact
dpnoise convert 'pure(epsilon=1)' --group 3 --delta 0 --json | near 1e-12 epsilon=3 label=exact
dpnoise convert 'pure(epsilon=1)' --group 3 --to gdp --json | near 1e-6 mu=2.575253 label=exact
dpnoise convert 'pure(epsilon=1)' --group 3 --to zcdp --json | near 1e-12 label=bound
# Of several guarantees each is one of groups then, whichever comes first and is the best.
dpnoise convert 'pure(epsilon=0.4)' 'pure(epsilon=0.3)' --group 3 --delta 0 --json | near 1e-12 epsilon=0.9
dpnoise convert 'pure(epsilon=0.3)' 'pure(epsilon=0.4)' --group 3 --delta 0 --json | near 1e-12 epsilon=0.9
