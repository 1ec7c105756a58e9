# Where all answers may move at once joint noise is best: (K+1)(K+2)/3 epsilon^2 each, 154 for twenty answers. Where two of them may,
# independent noise is.
# dear: comparisons of twenty answers; hull and pure compare joint noise too
dpnoise compare --dim 20 --epsilon 1 --delta 1e-6 --sensitivity 1 --json 2>warning >all
near 1e-4 rows.0.family=random-box rows.0.mse=3075.09 rows.0.plan.0.coordinates=0-19 <all
/usr/bin/python3 - <<'END'
import json
best = json.load(open("all"))["rows"][0]
assert best["mse"] <= 20 * 154 and best["delta"] <= 1e-6, best
END
dpnoise compare --dim 20 --epsilon 1 --delta 1e-6 --linf 1 --max-changed 2 --json | near rows.0.family=truncated-geometric rows.1.family=discrete-flipped-huber
# Eight unequal answers in two blocks; the plan is as private when it is read back.
dpnoise calibrate blocks --epsilon 1 --sensitivities 1,2,3,4,5,6,7,8 --json >plan
near 1e-9 mse=6030.188930237 pure=true plan.0.coordinates=0-1 plan.1.coordinates=2-7 <plan
dpnoise profile --plan plan --epsilon 1 --json | near delta=0 argument=corner
