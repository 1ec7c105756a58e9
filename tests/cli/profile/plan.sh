# Plans written by hand. Laplace noise of scale 4 on moves of 1, 1 and 2 is the composition of its parts; the K-norm block is
# Laplace noise of that epsilon, the pure mechanism randomised response: the same numbers as the composition's.
cat >plan <<'END'
[{"coordinates": "0-1,3", "noise": "laplace(scale=4)", "sensitivities": [1, 1, 2]},
 {"coordinates": "2", "noise": "none"},
 {"coordinates": "4-6", "noise": "k-norm(ball=box,epsilon=0.25)", "sensitivities": 1},
 {"coordinates": "7", "noise": "pure(epsilon=0.1)", "sensitivities": 3}]
END
dpnoise profile --plan plan --epsilon 0.5 | rounded
dpnoise profile --plan plan --epsilon 0.5 --json >ours
dpnoise profile --law 'laplace(scale=4)' --sensitivity 1 --times 2 --law 'laplace(scale=4)' --sensitivity 2 --block 0.25 --pure 0.1 \
    --epsilon 0.5 --json >theirs
/usr/bin/python3 - <<'END'
import json
ours, theirs = json.load(open("ours")), json.load(open("theirs"))
assert abs(ours["delta"] / theirs["delta"] - 1) < 2e-5, (ours["delta"], theirs["delta"])
assert ours["times"] == 1 and ours["plan"][1]["noise"] == "none"
END
# Releases add up, and the largest loss of all: 3 (1/4 + 1/4 + 2/4 + 0.25 + 0.1) = 4.05.
dpnoise profile --plan plan --times 3 --delta 0 --json | near 1e-12 epsilon=4.05 times=3
# A set of one's own replaces that of the plan.
cat >two <<'END'
{"plan": [{"coordinates": "0-1", "noise": "laplace(scale=4)"}], "relation": "add-remove"}
END
dpnoise profile --plan two --sensitivity 1 --delta 0 --json | near 1e-12 epsilon=0.5 relation=add-remove sensitivity.dimension=2
dpnoise profile --plan two --linf 1 --max-changed 1 --delta 0 --relation replace --json | near 1e-12 epsilon=0.25 relation=replace
dpnoise profile --plan two --sensitivities 1,2 --plot p.svg | tail -n 1
grep -o 'plan of 1 block on 2 answers' p.svg | sort -u
