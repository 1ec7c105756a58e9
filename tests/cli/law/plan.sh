# The laws of a plan, each once, beside those on the command line.
cat >plan <<'END'
[{"coordinates": "0", "noise": "gaussian(sigma=2)"}, {"coordinates": "1", "noise": "none"},
 {"coordinates": "2", "noise": "gaussian(sigma=2)"}, {"coordinates": "3", "noise": "laplace(scale=1)"}]
END
dpnoise law --plan plan --json | near laws.0.law='gaussian(sigma=2)' laws.1.law='laplace(scale=1)' laws.1.variance=2
dpnoise law 'logistic(scale=1)' --plan plan --at 0 | head -n 2
printf '[{"coordinates": "0", "noise": "pure(epsilon=1)"}]' >plan
dpnoise law --plan plan || echo $?
dpnoise law --plan nowhere || echo $?
dpnoise law --list --plan plan || echo $?
