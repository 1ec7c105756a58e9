# Pure: families with an unbounded loss say why not.
dpnoise compare --epsilon 0.3 --sensitivity 1.5 --json | near 1e-5 rows.0.family=staircase rows.0.pure=true rows.0.delta=0 \
    refused.0.family=gaussian refused.0.status=DPN_EUNSUPPORTED \
    'refused.0.reason=the privacy loss of gaussian noise is unbounded: it needs a delta above 0'
dpnoise compare --epsilon 0.3 --sensitivity 1.5 --json | /usr/bin/python3 -c '
import json, sys
o = json.load(sys.stdin)
print(*[row["family"] for row in o["rows"]])
for row in o["refused"]: print(row["family"] + ": " + row["reason"])'
