# By the least epsilon: the best first, each with the error that was asked.
# dear: ten searches; plot has the same for pure noise
dpnoise compare --mse 25 --delta 1e-6 --sensitivity 1.5 --json >all
/usr/bin/python3 - <<'END'
import json
all = json.load(open("all"))
epsilons = [row["epsilon"] for row in all["rows"]]
assert epsilons == sorted(epsilons) and len(epsilons) == 10, epsilons
assert max(row["mse"] for row in all["rows"]) <= 25 and min(row["mse"] for row in all["rows"]) > 25 * (1 - 1e-3)
assert "epsilon" not in all
END
near error_asked=25 refused.0.family=discrete-gaussian <all
