echo '1 2' >moves
say() { dpnoise profile 'gaussian(sigma=5)' "$@" --epsilon 1 | unwrapped | sed -n 's/^  sensitivity   //p; s/^  worst change  //p'; }
say --sensitivity 1
say --sensitivity 0.3 --dim 4
say --sensitivities 1,2,0.5
say --linf 1 --max-changed 2 --dim 1000
say --l1 2 --l2 1 --dim 3
say --l2 1
say --vertices moves
dpnoise profile 'laplace(scale=5)' --l1 1 --dim 3 --epsilon 1 | unwrapped | sed -n 's/^  worst change  //p'
dpnoise profile 'laplace(scale=5)' --l2 1 --dim 3 --epsilon 1 | unwrapped | sed -n 's/^  worst change  //p'
dpnoise profile --law 'laplace(scale=5)' --sensitivity 1 --epsilon 1 | unwrapped | sed -n 's/^  worst change  //p'
