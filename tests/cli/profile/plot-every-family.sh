# Every family is drawn, those with an infinite loss, a pure guarantee or integers among them.
dpnoise profile 'gaussian(sigma=4)' 'laplace(scale=3)' 'flipped-huber(alpha=3,gamma=4)' 'osgt(m=3,sigma=6)' \
    'huber(alpha=3,gamma=4)' 'staircase(epsilon=0.5,sensitivity=1,gamma=0.4)' 'truncated-laplace(scale=3,bound=40)' \
    'subbotin(p=1.5,scale=3)' 'logistic(scale=3)' --sensitivity 1 --plot p.svg >/dev/null
grep -c '</svg>' p.svg
dpnoise profile 'discrete-gaussian(sigma=4)' 'discrete-laplace(scale=3)' 'discrete-flipped-huber(alpha=3,gamma=4)' \
    'discrete-osgt(m=3,sigma=6)' 'truncated-geometric(epsilon=0.3,n=10,theta=0.4)' --sensitivity 1 --plot q.svg >/dev/null
grep -c '</svg>' q.svg
# Nothing to hide, and nothing hidden.
dpnoise profile 'gaussian(sigma=4)' --sensitivity 0 --plot r.svg >/dev/null
dpnoise profile 'truncated-laplace(scale=3,bound=1)' --sensitivity 4 --plot s.svg >/dev/null
grep -c '</svg>' r.svg s.svg
