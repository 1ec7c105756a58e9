# (xi, eta): FH Theorem 9 in K dimensions, OSGT with the constant m D1/sigma^2, Gaussian, and pure mechanisms.
dpnoise renyi 'flipped-huber(alpha=0.5,gamma=3)' --sensitivity 1 --dim 20 --order 2 --json 2>/dev/null |
    near zcdp.xi=0.2777777777777777777777778 zcdp.eta=1.1111111111111111111111
dpnoise renyi 'osgt(m=3,sigma=2)' --sensitivity 1 --dim 4 --order 2 --json | near zcdp.xi=3 zcdp.eta=0.5
dpnoise renyi 'osgt(m=3,sigma=2)' --l1 2 --l2 1 --dim 4 --order 2 --json | near zcdp.xi=1.5 zcdp.eta=0.125 argument=bound
dpnoise renyi 'gaussian(sigma=2)' --l2 1 --dim 9 --order 2 --json | near zcdp.xi=0 zcdp.eta=0.125 argument=l2-Gaussian
dpnoise renyi --pure 2 --order 1 --json | near zcdp.eta=1.52318831191152859387665
dpnoise renyi --block 0.5 --times 10 --order 1 --json | near 1e-11 zcdp.eta=1.0653065971263342360379953 divergence=1.0653065971263342360379953
dpnoise renyi 'subbotin(p=3,scale=1)' --sensitivity 1 --order 2 --json | near zcdp=null
