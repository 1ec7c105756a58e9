# Values: the project's vectors. A bound between integers is that of the integer below.
dpnoise profile 'discrete-gaussian(sigma=1)' --sensitivity 1 --epsilon 1 --json | holds 1e-6 delta=0.1413513394056219080995417
dpnoise profile 'discrete-laplace(scale=5)' --sensitivity 1.5 --epsilon 0.1 --json |
    holds 1e-6 delta=0.05232362283586465998016192~1e-15
dpnoise profile 'discrete-flipped-huber(alpha=3,gamma=4)' --sensitivity 2 --epsilon 1 --json |
    holds 1e-6 delta=0.006211246685004974230595914
dpnoise profile 'discrete-osgt(m=3,sigma=6)' --sensitivity 1 --epsilon 0.05 --json |
    holds 1e-6 delta=0.07176314759159638148051416~1e-14
