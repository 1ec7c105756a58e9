# Epsilon 0.3 and delta 1e-6: noise on the integers first, since it knows the answers are whole; then the staircase.
dpnoise compare --epsilon 0.3 --delta 1e-6 --sensitivity 1 --json >all
near 3e-6 rows.0.family=discrete-flipped-huber rows.3.family=staircase rows.4.family=truncated-laplace rows.4.mse=22.2114 \
    rows.4.bounded=true rows.5.family=flipped-huber rows.5.mse=22.2128 rows.5.sub_gaussian=true rows.12.family=gaussian \
    rows.12.mse=168.802 rows.0.integer=true rows.3.pure=false epsilon=0.3 <all
/usr/bin/python3 - <<'END'
import json
all = json.load(open("all"))
errors = [row["mse"] for row in all["rows"]]
assert errors == sorted(errors) and len(errors) == 13 and [r["family"] for r in all["refused"]] == ["k-norm", "blocks"]
assert max(row["delta"] for row in all["rows"]) <= 1e-6
END
