# A sensitivity that nobody said is 1, and it says so; the numbers are those of the one that is said.
dpnoise profile 'gaussian(sigma=50)' --times 1000
dpnoise profile 'gaussian(sigma=5)' --dim 3 --epsilon 1 --json >assumed
dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 --dim 3 --epsilon 1 --json >said
sed 's/"sensitivity_assumed": true, //' assumed | cmp - said && ! cmp -s assumed said && echo same
# What is said is not assumed, and two questions are not answered by the table.
dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 | grep -c assumed || true
dpnoise profile --law 'gaussian(sigma=5)' --sensitivity 2 --times 4 --json | grep -c sensitivity_assumed || true
dpnoise profile 'laplace(scale=2)' --sensitivity 1 --json | tr '{' '\n' | grep -c '"epsilon"'
