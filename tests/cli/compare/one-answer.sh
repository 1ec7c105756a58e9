# Epsilon 0.3 and delta 1e-6: noise on the integers first, since it knows the answers are whole; then the staircase.
dpnoise compare --epsilon 0.3 --delta 1e-6 --sensitivity 1 --json >all
near 3e-6 rows.0.family=truncated-geometric rows.1.family=discrete-flipped-huber rows.4.family=truncated-staircase rows.5.family=staircase rows.6.family=truncated-laplace rows.6.mse=22.2114 \
    rows.6.bounded=true rows.7.family=flipped-huber rows.7.mse=22.2128 rows.7.sub_gaussian=true rows.14.family=gaussian \
    rows.14.mse=168.802 rows.0.integer=true rows.0.bounded=true rows.5.pure=false epsilon=0.3 <all
/usr/bin/python3 - <<'END'
import json
all = json.load(open("all"))
errors = [row["mse"] for row in all["rows"]]
assert errors == sorted(errors) and len(errors) == 15 and [r["family"] for r in all["refused"]] == ["k-norm", "blocks", "start-box", "start-staircase", "random-box", "spherical", "discrete-staircase"]
assert max(row["delta"] for row in all["rows"]) <= 1e-6
END
# A count with a large delta: what no noise on the integers is below, and what the others have.
counts() { dpnoise compare --epsilon "$1" --delta 0.01 --sensitivity 1 --json; }
counts 0.1 | near 5e-6 rows.0.family=truncated-geometric rows.0.mse=66.20115 rows.4.family=discrete-flipped-huber rows.4.mse=78.12717
counts 0.3 | near 2e-5 rows.0.family=truncated-geometric rows.0.mse=12.983
counts 1 | near 2e-5 rows.0.family=truncated-geometric rows.0.mse=1.5163
# A count that moves by up to 3, 8: two staircases that end, and without a delta one that does not. docs/limit.md has what no noise on the integers is below.
moved() { dpnoise compare --epsilon "$1" --delta "$2" --sensitivity "$3" --json | /usr/bin/python3 -c '
import json, sys
rows = [row for row in json.load(sys.stdin)["rows"] if row["integer"]]
print(rows[0]["family"], "%.9g" % rows[0]["mse"], rows[0]["bounded"], rows[0]["pure"])'; }
moved 1 0.01 3
moved 3 1e-6 8
moved 3 0 2
