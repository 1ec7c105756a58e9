# The members, and numbers that agree with each other, with profile and with the grid. The audit of a sound mechanism fails by chance
# less than once in a million runs (docs/proofs/audit/audit.md).
dpnoise audit 'gaussian(sigma=1)' --sensitivity 1 --delta 1e-3 --samples 2e5 --json >audit.json
dpnoise profile 'gaussian(sigma=1)' --sensitivity 1 --delta 1e-3 --json >profile.json
/usr/bin/python3 - <<'END'
import json

audit, profile = json.load(open("audit.json")), json.load(open("profile.json"))
print(*audit)
print(audit["law"], audit["pass"], audit["confidence"], audit["claim"], audit["samples"], audit["grid"] == 2**-16)
print(abs(audit["epsilon_claimed"] / profile["epsilon"] - 1) < 1e-6, audit["delta"], audit["least_delta"])
print(0.7 * audit["epsilon_claimed"] < audit["epsilon_lower"] < audit["epsilon_claimed"] < audit["power"])
points = audit["profile"]
print(len(points), *points[0])
print(points[0]["epsilon"] == 0, abs(points[0]["delta"] - 0.3829249225480262) < 1e-6)  # 2 Phi(1/2) - 1
print(all(p["delta_lower"] <= p["delta"] and p["epsilon_lower"] <= p["epsilon"] < float(p["power"]) for p in points))
print(points[0]["delta_lower"] > 0.36, all(p["delta"] > q["delta"] for p, q in zip(points, points[1:])))
END
