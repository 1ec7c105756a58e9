# Guarantees of others compose: optimal composition has (22, 0.06), (20, 0.1) and (5, 0.01) at its own points, and less between them.
dpnoise profile --guarantee 'approximate(epsilon=1,delta=0.001)' --times 30 --delta 0.06 --json | near 1e-6 epsilon=21.7096126 argument=corner
dpnoise profile --guarantee 'approximate(epsilon=1,delta=0.001)' --times 30 --delta 0.1 --json | near 1e-6 epsilon=19.8173791
dpnoise profile --guarantee 'pure(epsilon=0.25)' --times 50 --delta 0.01 --json >one
dpnoise profile --pure 0.25 --times 50 --delta 0.01 --json | sed 's/.*"epsilon": /"epsilon": /' >two
sed 's/.*"epsilon": /"epsilon": /' one | cmp - two
# With laws, through a file and back, as bounds where divergences are all that is known.
dpnoise profile --law 'gaussian(sigma=3)' --sensitivity 1 --guarantee 'gdp(mu=0.5)' --guarantee 'zcdp(rho=0.1)' --times 3 \
    --delta 1e-5 --export parts | sed -n 2p
tail -n 3 parts
dpnoise profile --import parts --delta 1e-5 --json | near parts.2.guarantee='zcdp(rho=0.1)' parts.2.times=3 argument=bound
# What fails more often than delta has no epsilon.
dpnoise profile --guarantee 'approximate(epsilon=1,delta=0.001)' --times 30 --delta 0.01 | sed -n 2p
dpnoise renyi --guarantee 'renyi(order=8,divergence=0.3)' --guarantee 'zcdp(rho=0.1)' --order 8,9 --json |
    near 1e-9 renyi.0.divergence=1.1 renyi.1.divergence=inf
# Samples are about noise.
dpnoise profile --guarantee 'pure(epsilon=1)' --sample-rate 0.1 --delta 0.01 || echo $?
