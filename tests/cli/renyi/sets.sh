# Divergences add over the coordinates of the worst move, and over the parts of a composition: the K-fold of one vector.
dpnoise renyi 'osgt(m=15,sigma=25.099800796022265)' --sensitivity 1 --dim 8 --order 71.66 --json |
    holds 1e-10 divergence=0.52121009830635284573~1e-12
dpnoise renyi 'osgt(m=15,sigma=25.099800796022265)' --linf 1 --dim 1000 --max-changed 2 --order 71.66 --json |
    holds 1e-10 divergence=0.13030252457658821143~1e-12
dpnoise renyi --law 'osgt(m=15,sigma=25.099800796022265)' --sensitivity 1 --times 1e6 --order 71.66 --json |
    holds 1e-10 divergence=65151.26228829410571626274~1e-12
dpnoise renyi 'laplace(scale=2)' --l1 1 --dim 5 --order inf --json | near divergence=0.5 argument=one-hot
