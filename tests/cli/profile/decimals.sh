# 0.1 is no double: the guarantee is that of the double below, and the interval holds the truth, which is 0.
dpnoise profile 'laplace(scale=10)' --sensitivity 1 --epsilon 0.1 --json >tenth
near 0 epsilon=0.1000000000000000055511151231257827021181583404541015625 delta_lower=0 log_delta_lower=-inf <tenth
/usr/bin/python3 -c 'import json; assert 0 < json.load(open("tenth"))["delta"] < 1e-17'
dpnoise profile 'laplace(scale=10)' --sensitivity 1 --epsilon 0.1 | sed -n 7,10p
# 0.5 is a double.
dpnoise profile 'laplace(scale=2)' --sensitivity 1 --epsilon 0.5 --json | near delta=0 log_delta=-inf
# The doubles below and above: 0.1 and what its double exactly is have the same neighbours above, not below.
dpnoise profile 'gaussian(sigma=1e-8)' --sensitivity 1e-8 --epsilon 0.1000000000000000055511151231257827021181583404541015625 \
    --json | sed 's/.*"delta": \([^,]*\),.*/\1/' >exact
dpnoise profile 'gaussian(sigma=1e-8)' --sensitivity 1e-8 --epsilon 0.1 --json | sed 's/.*"delta": \([^,]*\),.*/\1/' >below
/usr/bin/python3 -c 'assert float(open("below").read()) >= float(open("exact").read())'
