# The fit without noise says loudly what it is, charges nothing and leaves no ledger. The numbers are by hand: the line through
# (0, 1), (1, 2), (2, 2) has slope 1/2 and intercept 7/6, residual variance 1/6, and the slope a standard error of sqrt(1/12).
printf 'x,y\n0,1\n1,2\n2,2\n' >line.csv
dpnoise fit linear line.csv --target y:0:4 --features x:0:4 --method non-private --json >model.json
near 1e-10 coefficients.0.value=1.16666666666667 coefficients.1.value=0.5 coefficients.1.high=1.0657928670381 private=false epsilon=null interval=sampling <model.json
dpnoise fit linear line.csv --target y:0:4 --features x:0:4 --method non-private | sed -n '/guarantee/p'
near epsilon=null model.epsilon=null model.delta=null model.private=false <model.json
sed 's/"epsilon": null, "delta": null, "relation": "add-remove", "rel/"epsilon": "1", "delta": "0", "relation": "add-remove", "rel/' model.json >old.json
cmp -s model.json old.json || dpnoise predict old.json line.csv --json | near 1e-4 predictions.0=1.1666667
rm old.json
dpnoise predict model.json line.csv --json | near 1e-4 predictions.0=1.1666667 predictions.2=2.1666667 target=y
ls
# The rows do not tell the coefficient of a constant column beside the constant of the fit: no interval, in words and in JSON.
printf 'x,k,y\n0,3,1\n1,3,2\n2,3,2\n3,3,4\n' >constant.csv
plain() { dpnoise fit linear constant.csv --target y:0:4 --features x:0:4,k:0:10 --method non-private "$@"; }
plain | sed -n '/^  k\|note/,/others/p'
plain --json | near coefficients.0.low=null coefficients.2.low=null coefficients.2.high=null interval=sampling
plain --json | near 1e-10 coefficients.1.value=0.9
