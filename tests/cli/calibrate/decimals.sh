# A decimal that is no double: the noise is calibrated to the double below 0.1, and the certified epsilon does not exceed it.
dpnoise calibrate laplace --epsilon 0.1 --sensitivity 1 --json >plan
near epsilon=0.1 pure=true <plan
/usr/bin/python3 - <<'END'
import fractions, json
plan = json.load(open("plan"))
assert fractions.Fraction(plan["pure_epsilon"]) <= fractions.Fraction("0.1"), plan["pure_epsilon"]
END
