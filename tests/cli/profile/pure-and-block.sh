# Ten times the double above 0.1 is 1 and 5.6e-17 more. A block is Laplace noise to the accountant.
dpnoise profile --pure 0.1 --times 10 --epsilon 1 --json | near 1e-3 delta=8.827e-20 delta_lower=8.827e-20
dpnoise profile --pure 0.125 --times 8 --epsilon 1 --json | near delta=0 delta_lower=0 log_delta=-inf
dpnoise profile --pure 0.5 --times 4 --delta 0 --json | near 1e-15 epsilon=2 epsilon_lower=2
# Randomised response once: delta(0) = tanh(1/2)/... = (e - 1)/(e + 1).
dpnoise profile --pure 1 --epsilon 0 --json | holds 1e-6 delta=0.46211715726000975850231848364367
dpnoise profile --block 0.25 --times 5 --epsilon 0.3 --json >block
dpnoise profile --law 'laplace(scale=4)' --sensitivity 1 --times 5 --epsilon 0.3 --json >laplace
sed 's/.*"epsilon": 0.3/"epsilon": 0.3/' block >one
sed 's/.*"epsilon": 0.3/"epsilon": 0.3/' laplace | cmp one -
