# Staircases that end, as releases draw them: nothing is found; a smaller epsilon than theirs is refuted.
dpnoise calibrate discrete-staircase --epsilon 1 --delta 0.01 --sensitivity 3 --json >whole.json
dpnoise audit --plan whole.json --samples 1e5 | sed -n '2,3p'
dpnoise calibrate truncated-staircase --epsilon 1 --delta 0.01 --sensitivity 3 --json >line.json
dpnoise audit --plan line.json --samples 1e5 | sed -n '2,3p'
dpnoise audit --plan whole.json --samples 1e5 --epsilon 0.8 >failed 2>message || echo $?
dpnoise audit --plan line.json --samples 1e5 --epsilon 0.8 >failed 2>message || echo $?
