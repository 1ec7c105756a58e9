# A plan guarantees on reading what add certified, or more where directions are searched: its set is that of the gridded answers, however coarse the grid.
for set in '--l2 1' '--l1 1' '--linf 1' '--linf 1 --max-changed 2'; do
    for family in gaussian laplace k-norm; do
        echo 0 0 0 | dpnoise add --epsilon 1 --delta 0.01 $set --dim 3 --family $family --grid 2 --json >plan 2>/dev/null || continue
        dpnoise profile --plan plan --epsilon 1 --json >again
        /usr/bin/python3 - "$set $family" <<'END'
import json, sys
added, again = json.load(open("plan")), json.load(open("again"))
print(sys.argv[1], 0.9 * again["delta_lower"] <= again["delta"] <= (1 + 1e-6) * added["delta"])
END
    done
done
# Steps that the text of a plan leaves out.
echo '[{"coordinates": "0", "noise": "discrete-laplace(scale=1)", "grid": 0.25, "sensitivities": [1]}]' >plan
dpnoise profile --plan plan --delta 0 || echo $?
echo '[{"coordinates": "0", "noise": "laplace(scale=1)", "grid": 4, "sensitivities": [1]}]' >plan
dpnoise profile --plan plan --delta 0 || echo $?
