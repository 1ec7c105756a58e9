# INID Theorem 4 of a plan with a sigma for each answer: it is exact, so both deltas are one.
dpnoise calibrate gaussian --sensitivities 1,2,0,3 --epsilon 0.5 --delta 1e-6 --json >plan
dpnoise profile --plan plan --epsilon 0.5 --condition inid-theorem-4 | grep condition
dpnoise profile --plan plan --epsilon 0.5 --times 2 --condition inid-theorem-4 || echo "exit $?"
dpnoise calibrate k-norm --sensitivities 1,2 --epsilon 0.5 --delta 0 --json >plan
dpnoise profile --plan plan --epsilon 0.5 --condition probabilistic || echo "exit $?"
