# Refusals in JSON; a refusal by the budget has the code 1.
dpnoise budget init people --epsilon 1 --json | near total.epsilon=1 total.delta=0 relation=add-remove unit=row charges=0
dpnoise budget charge people --epsilon 0.75 --json | near spent.epsilon=0.75 remaining.epsilon=0.25 charge.epsilon=0.75
dpnoise budget charge people --epsilon 0.5 --json || echo $?
dpnoise budget verify --json | near verified=true entries=3 heads=0
