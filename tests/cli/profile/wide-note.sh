# Text says, as accuracy_met of the JSON does, that the interval is wider than asked for: of batches and of directions too.
note() {
    dpnoise profile "$@" --epsilon 1 --json | grep -o '"accuracy_met": [a-z]*'
    dpnoise profile "$@" --epsilon 1 | grep -c 'the accuracy that was asked for could not be reached' || true
}
for steps in 1 5; do note --law 'gaussian(sigma=2)' --sensitivity 2 --batch 100 --population 10000 --steps $steps; done
for accuracy in 1e-2 1e-5; do note 'osgt(m=1,sigma=2)' --l2 1 --dim 2 --accuracy $accuracy; done
