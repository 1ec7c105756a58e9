# A training run is about a row that comes or goes. To a budget about replacing one it is two steps: 2 epsilon, and (1 + e^epsilon) delta; and it is
# refused where no delta makes it a pure charge.
for relation in add-remove replace; do dpnoise budget init $relation --epsilon 9 --delta 1e-4 --relation $relation --ledger l.db >/dev/null; done
run() { dpnoise budget charge --law 'gaussian(sigma=2)' --sensitivity 1 --sample-rate 0.01 --steps 100 --ledger l.db --json "$@"; }
run add-remove --delta 1e-6 >once
run replace --delta 1e-6 >twice
run replace >/dev/null 2>&1 || echo "exit code $?"
/usr/bin/python3 - <<'END'
import json, math
once, twice = (json.load(open(name)) for name in ("once", "twice"))
print(once["charge"]["converted"], twice["charge"]["converted"])
(e, d), (e2, d2) = ((float(x["charge"]["epsilon"]), float(x["charge"]["delta"])) for x in (once, twice))
print(0.01 < e < 1, abs(e2 / (2 * e) - 1) < 1e-9, -1e-12 < d2 / ((1 + math.exp(e)) * d) - 1 < 1e-3)
END
