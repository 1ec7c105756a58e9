# The members, values on the grid that is told, each near its answer, and a certificate that profile finds again.
printf '10\n20\n30\n' | dpnoise add --family k-norm --epsilon 1 --delta 0.01 --sensitivities 1,1,2 --json >added.json
/usr/bin/python3 - <<'END'
import json
from fractions import Fraction

added = json.load(open("added.json"), parse_float=Fraction, parse_int=Fraction)
print(*added)
print(added["grid"], [str(block["grid"]) for block in added["plan"]], [block["coordinates"] for block in added["plan"]])
print(all((value / added["grid"]).denominator == 1 for value in added["values"]))
print(all(abs(value - answer) < 30 * width for value, answer, width in zip(added["values"], [10, 20, 30], added["interval95"])))
print(added["epsilon"] == 1, 0 < added["delta_lower"] <= added["delta"] <= Fraction(1, 100), len(added["interval95"]))
END
dpnoise profile --plan added.json --epsilon 1 --json |
    /usr/bin/python3 -c 'import json, sys; print(9.9e-3 < json.load(sys.stdin)["delta"] <= 1e-2)'
# Different sensitivities under a pure guarantee get a start box, which needs 17% less than the best blocks; what is released reads back.
printf '10\n20\n' | dpnoise add --epsilon 1 --sensitivities 1,0.3 --json >start.json
near 1e-3 family=start-staircase plan.0.noise="start-staircase(epsilon=1)" plan.0.coordinates=0-1 pure=true delta=0 <start.json
dpnoise profile --plan start.json --epsilon 1 --json | near delta=0
