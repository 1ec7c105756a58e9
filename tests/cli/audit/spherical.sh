# Spherical noise from its calibration to its draws: the plan is certified, drawn and audited, and twice the noise's own guarantee is refuted.
dpnoise calibrate spherical --l2 2 --dim 5 --epsilon 1 --delta 0.01 --json >plan.json
near 1e-6 variance.0=11.960634 family=spherical <plan.json
dpnoise profile --plan plan.json --epsilon 1 --json | near 1e-7 delta=0.01 delta_lower=0.01
dpnoise sample --plan plan.json --count 2 | awk '{print NF}'
printf '1\n2\n3\n' | dpnoise add --l2 1 --dim 3 --epsilon 1 --delta 0.01 --family spherical --json | near 0 plan.0.coordinates=0-2
dpnoise audit --plan plan.json --epsilon 1 --delta 0.01 --samples 2e5 | sed -n '2p'
dpnoise audit --plan plan.json --epsilon 0.5 --delta 0.01 --samples 2e5 >failed 2>message || echo $?
cut -c 1-69 message
dpnoise profile --plan plan.json --l2 2.1 --dim 5 --epsilon 1 || echo $?
