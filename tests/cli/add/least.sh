# What is chosen unasked. Counts with a delta that is worth it: noise that ends, of the least variance there is (docs/limit.md), charged as
# (epsilon, delta); with a small delta it saves nothing, and pure noise is taken.
echo 100 | dpnoise add --epsilon 0.3 --delta 0.01 --sensitivity 1 --whole --json >count
near 1e-9 plan.0.noise='truncated-geometric(epsilon=0.3,n=10,theta=0.2133935882700174)' delta=0.01 <count
echo 100 | dpnoise add --epsilon 0.3 --delta 1e-6 --sensitivity 1 --whole | sed -n 's/.*answers 0: \([a-z-]*\).*/\1/p'
dpnoise budget init people --epsilon 0.6 --delta 0.02 --yes-delta --ledger l.db >/dev/null
for i in 1 2 3; do
    echo 100 | dpnoise add --epsilon 0.3 --delta 0.01 --sensitivity 1 --whole --dataset people --ledger l.db --json >added 2>why || echo "refused $i"
done
# Fifty answers that all move: a random box, certified from its plan.
seq 50 | dpnoise add --epsilon 1 --delta 1e-6 --sensitivity 1 --dim 50 --json >box 2>/dev/null
sed -n 's/.*"noise": "\([a-z-]*\).*/\1/p' box
dpnoise profile --plan box --epsilon 1 --json | near argument=bound
dpnoise calibrate random-box --epsilon 1 --delta 1e-6 --sensitivity 1 --dim 50 --json 2>/dev/null | near 2e-5 variance.0=715.12
