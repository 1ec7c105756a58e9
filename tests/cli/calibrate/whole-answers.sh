# Noise on the integers counts whole steps: no noise is calibrated where the bounds are between them, and a profile says whom it protects, only there.
dpnoise calibrate discrete-laplace --epsilon 1 --sensitivity 2 --json >whole
for s in 1.5 2; do
    dpnoise calibrate discrete-laplace --epsilon 1 --sensitivity $s >text || echo $?
    grep -c 'answers that are whole numbers' text || true
    sed "s/\"sensitivities\": \[2]/\"sensitivities\": [$s]/; s/\"linf\": 2/\"linf\": $s/" whole >plan
    dpnoise profile 'discrete-laplace(scale=5)' --sensitivity $s --epsilon 1 | grep -c 'answers that are whole numbers' || true
    dpnoise profile --plan plan --epsilon 1 | grep -c 'answers that are whole numbers' || true
done
dpnoise calibrate laplace --epsilon 1 --sensitivity 1.5 | grep -c 'answers that are whole numbers' || true
# A plan whose set moves further than its blocks is refused, by whoever reads it.
sed 's/"linf": 2/"linf": 3/' plan >further
dpnoise profile --plan further --epsilon 1 || echo $?
dpnoise budget init x --epsilon 5 --ledger l.db >/dev/null
dpnoise budget charge x --plan further --ledger l.db || echo $?
