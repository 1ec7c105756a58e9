# What calibrate prints, profile certifies: the delta of the file is found anew, whatever the set.
again() {
    dpnoise calibrate "$@" --json 2>/dev/null >plan
    dpnoise profile --plan plan --epsilon 1 --json >profile
    /usr/bin/python3 - <<'END'
import json
plan, profile = json.load(open("plan")), json.load(open("profile"))
assert abs(profile["delta"] / plan["delta"] - 1) < 1e-5, (profile["delta"], plan["delta"])
assert profile["delta"] <= 1e-6 * (1 + 1e-6) and profile["argument"] == plan["argument"]
assert all(profile[name] == plan[name] for name in ("relation", "unit", "times", "plan"))
END
}
again gaussian --epsilon 1 --delta 1e-6 --sensitivity 1
again laplace --epsilon 1 --delta 1e-6 --sensitivity 1 --dim 20
again gaussian --epsilon 1 --delta 1e-6 --sensitivities 1,2,3,0 --relation add-remove --unit person
again laplace --epsilon 1 --delta 1e-6 --sensitivities 1,2,3 --times 3
again laplace --epsilon 1 --delta 1e-6 --linf 1 --max-changed 2 --dim 1000
again gaussian --epsilon 1 --delta 1e-6 --l2 2 --dim 5
again laplace --epsilon 1 --delta 1e-6 --l1 2 --dim 5
again discrete-laplace --epsilon 1 --delta 1e-6 --sensitivities 2,1
# Vertices are not in the plan: they are asked for.
printf '1 0\n0 1\n' >vertices
dpnoise calibrate laplace --epsilon 1 --delta 1e-6 --vertices vertices --json >plan
dpnoise profile --plan plan --epsilon 1 || echo $?
dpnoise profile --plan plan --vertices vertices --epsilon 1 | sed -n 2p
