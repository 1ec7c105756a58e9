# Exact noise of a hull, by name and where it is the least: on the grid, near the answers, and certified from its plan, whose vertices are
# those of the gridded answers.
printf '2 0\n1 2\n1 -2\n' >moves
printf '10\n20\n' | dpnoise add --epsilon 1 --knorm hull:moves --json >named
printf '10\n20\n' | dpnoise add --epsilon 1 --knorm hull --vertices moves --json >given
printf '10\n20\n' | dpnoise add --epsilon 1 --vertices moves --json >least
for file in named given least; do
    /usr/bin/python3 - $file <<'END'
import json, sys
from fractions import Fraction
added = json.load(open(sys.argv[1]), parse_float=Fraction, parse_int=Fraction)
block = added["plan"][0]
assert block["noise"] == "k-norm(ball=hull,epsilon=1)", block
assert all((value / added["grid"]).denominator == 1 for value in added["values"])
assert all(abs(value - answer) < 20 * width for value, answer, width in zip(added["values"], [10, 20], added["interval95"]))
# The largest norm of (+-1, +-1) in the hull is 3/4: the facet x/2 + y/4 <= 1, so that the hull has to grow by 3/4 of a step at least.
least = 1 + added["grid"] * Fraction(3, 4)
assert all(least <= Fraction(large) / small <= 1 + Fraction(1, 2**15)
           for row, old in zip(block["vertices"], [[2, 0], [1, 2], [1, -2]]) for large, small in zip(row, old) if small)
END
    dpnoise profile --plan $file --epsilon 1 --json | near delta=0 argument=bound
done
# Balls of other kinds, also on answers of which few move.
for ball in box l1 l2 linf; do
    printf '1 2 3\n' | dpnoise add --epsilon 1 --sensitivities 1,2,3 --max-changed 2 --knorm $ball --json >added
    near plan.0.noise="k-norm(ball=$ball,epsilon=1)" pure=true <added
    dpnoise profile --plan added --epsilon 1 --json | near delta=0
done
printf '1 2 3\n' | dpnoise add --epsilon 1 --l2 3 --dim 3 --knorm l2 --json >added
dpnoise profile --plan added --epsilon 1 --json | near delta=0
# Whole answers stay whole, and their hull does not grow.
printf '10\n20\n' | dpnoise add --epsilon 1 --knorm hull:moves --whole --json | near plan.0.vertices.1.1=2 grid=1
# A budget is charged what it costs: three of epsilon 1 fit in 3, a fourth does not.
dpnoise budget init people --epsilon 3 --delta 1e-6 --ledger l.db >/dev/null
for i in 1 2 3 4; do
    printf '10\n20\n' | dpnoise add --epsilon 1 --knorm hull:moves --dataset people --ledger l.db --json >added 2>why || echo "refused $i"
done
