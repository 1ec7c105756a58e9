# For people: a table, zCDP, and what the answer rests on. Exact: 4/50, 2.5/50, 1/50; and tanh(1/4) + 1/8 = 0.36991866249
dpnoise renyi 'gaussian(sigma=5)' --sensitivity 1 --order 4,2.5
# No finite divergence is exit 4, answer or not, so that a script does not go on; beside a finite one it is a row like others.
dpnoise renyi --pure 0.5 --times 2 --law 'gaussian(sigma=2)' --sensitivity 1 --order inf 2>/dev/null || echo "exit code $?"
dpnoise renyi 'gaussian(sigma=2)' --sensitivity 1 --order 2,inf >/dev/null && echo "some are finite"
