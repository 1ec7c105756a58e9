# For people: a table, zCDP, and what the answer rests on. Exact: 4/50, 2.5/50, 1/50; and tanh(1/4) + 1/8 = 0.36991866249
dpnoise renyi 'gaussian(sigma=5)' --sensitivity 1 --order 4,2.5
dpnoise renyi --pure 0.5 --times 2 --law 'gaussian(sigma=2)' --sensitivity 1 --order inf
