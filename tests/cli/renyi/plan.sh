# Gaussian noise on moves of 3 and 4 times sigma: order 2 gives 2 (9 + 16)/2 = 25, and zCDP the same line; releases add up.
cat >plan <<'END'
[{"coordinates": "0", "noise": "gaussian(sigma=2)", "sensitivities": 6}, {"coordinates": "1", "noise": "gaussian(sigma=1)", "sensitivities": 4}]
END
dpnoise renyi --plan plan --order 2 --json | near 1e-12 divergence=25 zcdp.xi=0 zcdp.eta=12.5 argument=corner times=1
dpnoise renyi --plan plan --order 2 --times 10 --json | near 1e-12 divergence=250 zcdp.eta=125
# One law on a set that is no box.
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --linf 1 --max-changed 2 --dim 100 --json >plan
dpnoise renyi --plan plan --order 2 --json | near 1e-6 divergence=0.0560289620
dpnoise renyi --plan plan --order 2 | rounded
dpnoise renyi --plan plan --order 2 --plot p.svg | tail -n 1
grep -o 'plan of 1 block on 100 answers' p.svg | sort -u
# Several laws on such a set: the worst coordinate alone, 2 (1/1)^2/2.
cat >plan <<'END'
{"plan": [{"coordinates": "0", "noise": "gaussian(sigma=2)", "sensitivities": 1}, {"coordinates": "1", "noise": "gaussian(sigma=1)", "sensitivities": 1}],
 "sensitivity": {"max_changed": 1}}
END
dpnoise renyi --plan plan --order 2 --json | near 1e-12 divergence=1
# A mechanism that is only known to be pure needs a box.
printf '[{"coordinates": "0-1", "noise": "pure(epsilon=1)", "sensitivities": 1}]' >plan
dpnoise renyi --plan plan --order 2 --linf 1 --max-changed 1 || echo $?
dpnoise renyi --plan plan --order inf --json | near 1e-12 divergence=1
