# A norm that is typed becomes the least double not below it, as --sensitivity does: its decimal is compared as a fraction.
for norm in l1 l2 linf; do
    dpnoise profile 'laplace(scale=1)' --$norm 0.3 --dim 1 --delta 0 --json
done | python3 -c '
import fractions, json, sys
for line in sys.stdin:
    said = json.loads(line)["sensitivity"]
    bound = next(said[name] for name in ("l1", "l2", "linf") if name in said)
    print(fractions.Fraction(bound) >= fractions.Fraction("0.3"))'
