# Epsilon 0.3 and delta 1e-6: noise on the integers first, since it knows the answers are whole; then the staircase.
dpnoise compare --epsilon 0.3 --delta 1e-6 --sensitivity 1 --json >all
near 3e-6 rows.0.family=truncated-geometric rows.1.family=discrete-flipped-huber rows.4.family=staircase rows.5.family=truncated-laplace rows.5.mse=22.2114 \
    rows.5.bounded=true rows.6.family=flipped-huber rows.6.mse=22.2128 rows.6.sub_gaussian=true rows.13.family=gaussian \
    rows.13.mse=168.802 rows.0.integer=true rows.0.bounded=true rows.4.pure=false epsilon=0.3 <all
/usr/bin/python3 - <<'END'
import json
all = json.load(open("all"))
errors = [row["mse"] for row in all["rows"]]
assert errors == sorted(errors) and len(errors) == 14 and [r["family"] for r in all["refused"]] == ["k-norm", "blocks", "start-box", "start-staircase", "random-box"]
assert max(row["delta"] for row in all["rows"]) <= 1e-6
END
# A count with a large delta: what no noise on the integers is below, and what the others have.
counts() { dpnoise compare --epsilon "$1" --delta 0.01 --sensitivity 1 --json; }
counts 0.1 | near 5e-6 rows.0.family=truncated-geometric rows.0.mse=66.20115 rows.3.family=discrete-flipped-huber rows.3.mse=78.12717
counts 0.3 | near 2e-5 rows.0.family=truncated-geometric rows.0.mse=12.983
counts 1 | near 2e-5 rows.0.family=truncated-geometric rows.0.mse=1.5163
