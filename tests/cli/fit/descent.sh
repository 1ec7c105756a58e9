# Descent, and noise in the objective: linear and logistic fits with hardly any noise; what is released is told.
awk 'BEGIN { print "x,y,label"; for (i = 0; i < 2000; i++) { x = (i % 201) / 100 - 1; print x "," 0.25 + 0.5 * x "," (x + ((i * 7919) % 401) / 200 - 1 > 0) } }' >line.csv
for method in cd gd; do
    dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method $method --passes 60 --clip 9 --epsilon 1e6 --yes-epsilon --new-budget --ledger $method.db --json |
        near 1e-2 coefficients.0.value=0.25 coefficients.1.value=0.5 method=$method releases.0.what=derivatives releases.0.detail.passes=60
done
dpnoise fit logistic line.csv --target label:0:1 --features x:-1:1 --epsilon 1e5 --yes-epsilon --new-budget --ledger logistic.db --json |
    near 1e-2 coefficients.1.value=2.3686 method=objective private=true
# The paper's own accounting needs its delta, and other words are refused.
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method cd --accounting paper --noise flipped-huber --epsilon 1 --delta 1e-5 --dry-run --new-budget --ledger dry.db | sed -n '/guarantee/p'
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method cd --accounting renyi --epsilon 1 2>&1 || echo "exit code $?"
# Where descent begins, in the data's units: a step of nothing stays there. What it did with each coefficient is told.
dpnoise fit linear line.csv --target y:-3:5 --features x:-1:3 --method cd --start 10,2 --step 1e-9 --smoothness 1,0.4 --rows 2000 --epsilon 1 --delta 1e-5 --new-budget --ledger start.db --json |
    near 1e-3 coefficients.0.value=10 coefficients.1.value=2 releases.0.detail.coordinates.1.smoothness=0.4
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method gd --identical --rows 2000 --passes 2 --epsilon 1 --delta 1e-5 --new-budget --ledger text.db | sed -n '/per coefficient/,/tau/p; s/  *sensitivity  *smoothness  *clip  *step  *noise/columns/p'
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method cd --start 1 --epsilon 1 2>&1 || echo "exit code $?"
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method cd --smoothness 1,z --epsilon 1 2>&1 || echo "exit code $?"
# An experiment is not private, says so, charges nothing, and is not for registered data or budgets.
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method cd --epsilon 1 --delta 1e-6 --experiment --passes 5 --step 1 --clip 1 --trials 2 | sed -n '/NOT PRIVATE/,+1p'
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method gd --epsilon 1e9 --yes-epsilon --experiment --passes 40 --clip 9 --trials 2 --json | near 1e-3 private=false rows=1600 passes=40
head -41 line.csv >few.csv
dpnoise fit linear few.csv --target y:-1:1 --features x:-1:1 --method cd --epsilon 1e9 --yes-epsilon --experiment --fine --passes 3 --trials 2 --json | near 1e-3 private=false rows=32 passes=3
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method cd --epsilon 1 --experiment --ledger x.db 2>&1 || echo "exit code $?"
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method moments --epsilon 1 --experiment 2>&1 || echo "exit code $?"
