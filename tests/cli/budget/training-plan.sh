# What calibrate prints of a training run is a plan of it: its profile is what was asked for, and it fits a budget of that.
dpnoise calibrate gaussian --sample-rate 0.01 --steps 1000 --epsilon 2 --delta 1e-6 --sensitivity 1 --json >run.json
dpnoise profile --plan run.json --delta 1e-6 --json | near 1e-6 epsilon=2 training.0.steps=1000 relation=add-remove
dpnoise budget init people --epsilon 2 --delta 1e-6 --ledger l.db >/dev/null
dpnoise budget charge people --plan run.json --ledger l.db --json | near 1e-6 charge.epsilon=2 charge.delta=1e-6 charges=1
dpnoise budget charge people --plan run.json --ledger l.db >/dev/null 2>&1 || echo $?

# By hand, in two phases, also from a pipe: 1000 log E (1 - q + q r)^4/3 of the first, by a trapezoid sum over the noise; at the rate 1 the
# second is 2 steps of 4/(2 8^2).
phase='{"law": "gaussian(sigma=1.1)", "sensitivity": 1, "sample_rate": 0.01, "steps": 1000}'
printf '{"training": [%s, {"law": "gaussian(sigma=8)", "sensitivity": 1, "sample_rate": 1, "steps": 2}]}' "$phase" >two.json
dpnoise renyi --plan two.json --order 4 --json | near 1e-11 divergence=0.32921831462706
dpnoise budget init pipes --epsilon 5 --delta 1e-5 --orders 4 --weights 1 --ledger l.db >/dev/null
mkfifo pipe
cat two.json >pipe &
dpnoise budget charge pipes --plan pipe --ledger l.db --json | near 1e-11 charge.divergence.0=0.32921831462706
dpnoise profile --plan two.json --epsilon 1 | head -n 2

# Readers of noise alone refuse it, and it is charged and asked about as it is.
dpnoise law --plan two.json 2>&1 | grep -c "no member 'plan'"
dpnoise budget charge pipes --plan two.json --times 2 --ledger l.db || echo $?
dpnoise profile --plan two.json --sensitivity 2 --epsilon 1 || echo $?
dpnoise profile --plan two.json --sample-rate 0.1 --epsilon 1 || echo $?
dpnoise renyi --plan two.json --relation replace --order 4 || echo $?
printf '{"training": [%s], "relation": "replace"}' "$phase" >other.json
dpnoise budget charge pipes --plan other.json --ledger l.db || echo $?
