# A box of ten or more equal bounds that all move at once looks like a histogram. Nothing else does.
dpnoise profile 'gaussian(sigma=50)' --sensitivity 1 --dim 1000 --epsilon 1 >/dev/null
dpnoise profile 'gaussian(sigma=50)' --sensitivities 2,2,2,2,2,2,2,2,2,2 --unit person --epsilon 1 --json >/dev/null
dpnoise profile 'gaussian(sigma=50)' --linf 1 --dim 9 --epsilon 1 >/dev/null
dpnoise profile 'gaussian(sigma=50)' --linf 1 --dim 1000 --max-changed 2 --epsilon 1 >/dev/null
dpnoise profile 'gaussian(sigma=50)' --linf 1 --l1 2 --dim 1000 --epsilon 1 >/dev/null
dpnoise profile 'gaussian(sigma=50)' --sensitivities 2,2,2,2,2,2,2,2,2,1 --epsilon 1 >/dev/null
dpnoise profile --law 'gaussian(sigma=50)' --sensitivity 1 --times 1000 --epsilon 1 >/dev/null
