# A picture of each kind, complete or not at all; nothing to draw is told.
dpnoise renyi 'gaussian(sigma=5)' 'truncated-laplace(scale=1,bound=9)' --sensitivity 1 --order 2,inf --plot a.svg | tail -n 1
dpnoise renyi --pure 0.5 --times 3 --plot b.png
dpnoise renyi 'truncated-laplace(scale=1,bound=9)' --sensitivity 1 --plot c.svg || echo $?
dpnoise renyi 'laplace(scale=1)' --sensitivity 1 --plot c.gif || echo $?
dpnoise renyi 'laplace(scale=1)' --sensitivity 1 --order 2 --plot none/c.svg || echo $?
head -c 5 a.svg
echo
ls
