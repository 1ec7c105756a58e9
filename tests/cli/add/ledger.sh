# Charged before the numbers are read: ten pure answers of 0.1 fit a budget of 1, the eleventh is refused with 1 and prints nothing.
dpnoise budget init people --epsilon 1 --delta 1e-6 --ledger l.db >/dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do
    echo 7 | dpnoise add --epsilon 0.1 --sensitivity 1 --family laplace --dataset people --ledger l.db --json >added.json || echo "refused $i"
done
/usr/bin/python3 -c 'import json; print(json.load(open("added.json"))["head"].split(":")[0].split(" ")[0].split("-")[0])'
echo 7 | dpnoise add --epsilon 0.1 --sensitivity 1 --family laplace --dataset people --ledger l.db || echo $?
# Bad numbers do not bring the charge back, and numbers without a budget are not read.
dpnoise budget init others --epsilon 1 --ledger l.db >/dev/null
echo seven | dpnoise add --epsilon 0.4 --sensitivity 1 --dataset others --ledger l.db || echo $?
dpnoise budget show others --ledger l.db --json | near charges=1
echo 7 | dpnoise add --epsilon 0.4 --sensitivity 1 --dataset nobody --ledger l.db || echo $?
echo 7 | dpnoise add --epsilon 0.4 --sensitivity 1 --ledger l.db || echo $?
