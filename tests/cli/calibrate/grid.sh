# Lists of guarantees. The Laplace scale for one answer is 1/(epsilon - 2 log(1 - delta)).
dpnoise calibrate laplace --epsilon 0.5,2 --delta 0,1e-3 --sensitivity 1
dpnoise calibrate laplace --epsilon 0.5,2 --delta 1e-3 --sensitivity 1 --json |
    near 1e-8 grid.0.error=7.936350322138851 grid.1.error=0.4990009991672912
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --against laplace --grid | cut -d , -f 1,2
dpnoise calibrate laplace --epsilon .5 --delta 1e-3,1e-2 --sensitivities 1,2 --json | cut -c 1-80
command -v gnuplot >/dev/null || exit 0
dpnoise calibrate laplace --epsilon 0.5,2 --delta 1e-4,1e-3 --sensitivity 1 --against gaussian --plot map.svg >/dev/null
dpnoise calibrate laplace --epsilon 0.5,2 --delta 1e-3 --sensitivity 1 --plot curve.svg >/dev/null
test -s map.svg && test -s curve.svg
