# The fit without noise says loudly what it is, charges nothing and leaves no ledger. The numbers are by hand: the line through
# (0, 1), (1, 2), (2, 2) has slope 1/2 and intercept 7/6, residual variance 1/6, and the slope a standard error of sqrt(1/12).
printf 'x,y\n0,1\n1,2\n2,2\n' >line.csv
dpnoise fit linear line.csv --target y:0:4 --features x:0:4 --method non-private --json >model.json
near 1e-4 coefficients.0.value=1.1666667 coefficients.1.value=0.5 coefficients.1.high=1.0657925 private=false epsilon=null interval=sampling <model.json
dpnoise fit linear line.csv --target y:0:4 --features x:0:4 --method non-private | sed -n '/guarantee/p'
dpnoise predict model.json line.csv --json | near 1e-4 predictions.0=1.1666667 predictions.2=2.1666667 target=y
ls
