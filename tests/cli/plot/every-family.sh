# Every family can be drawn, alone and all together.
set -- 'gaussian(sigma=1)' 'laplace(scale=1)' 'flipped-huber(alpha=3,gamma=1)' 'osgt(m=3,sigma=6)' \
    'huber(alpha=1,gamma=1)' 'staircase(epsilon=0.01,sensitivity=1,gamma=0.4)' 'truncated-laplace(scale=1,bound=9)' \
    'subbotin(p=1.5,scale=1)' 'logistic(scale=1)' 'discrete-gaussian(sigma=0.01)' 'discrete-laplace(scale=1e9)' \
    'discrete-flipped-huber(alpha=3,gamma=1)' 'discrete-osgt(m=3,sigma=6)' 'truncated-geometric(epsilon=0.3,n=10,theta=0.4)'
test $# = "$(dpnoise law --list | grep -c '=\.\.\.')"
for law; do dpnoise law "$law" --plot one.svg >/dev/null; done
dpnoise law "$@" --plot all.svg >/dev/null
grep -o '>[a-z-]*(.*)<' all.svg | sort -u | grep -c .
