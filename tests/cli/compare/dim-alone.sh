# Answers that nobody describes move by at most 1 each.
dpnoise compare --epsilon 1 --dim 3 --json | near sensitivity.linf=1 sensitivity.dimension=3
dpnoise compare --epsilon 1 --max-changed 2 --json | near sensitivity.linf=1 sensitivity.max_changed=2 sensitivity.dimension=2
