# Noise of scale 2 for a row that is added or removed; a budget for replaced rows is charged twice its epsilon.
echo 120 45 8 | dpnoise add --epsilon 0.5 --histogram 3 --whole --family laplace | sed -n 's/.*\(scale=[24]\).*/\1/p'
echo 120 45 8 | dpnoise add --epsilon 0.5 --histogram 3 --whole --family laplace --relation replace | sed -n 's/.*\(scale=[24]\).*/\1/p'
dpnoise budget init people --epsilon 1 --relation replace --ledger l.db >/dev/null
echo 120 45 8 | dpnoise add --epsilon 0.5 --histogram 3 --whole --family laplace --dataset people --ledger l.db | grep neighbours
dpnoise budget show people --ledger l.db | grep spent | rounded 12
echo 1 2 3 4 | dpnoise add --epsilon 0.5 --histogram 3 --whole || echo $?
