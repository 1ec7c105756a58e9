# Each is refused with one sentence and the code 2, and nothing is printed.
refused() { dpnoise audit "$@" || echo $?; }
refused
refused 'laplace(scale=1)'
refused 'laplace(scale=1)' 'gaussian(sigma=1)' --sensitivity 1
refused 'laplce(scale=1)' --sensitivity 1
refused 'laplace(scale=1)' --sensitivity 1 --samples 999
refused 'laplace(scale=1)' --sensitivity 1 --samples 1e13
refused 'laplace(scale=1)' --sensitivity 1 --samples many
refused 'laplace(scale=1)' --sensitivity 1 --samples 1e999999999
refused 'laplace(scale=1)' --sensitivity 1 --epsilon -1
refused 'laplace(scale=1)' --sensitivity 1 --epsilon nan
refused 'laplace(scale=1)' --sensitivity 1 --epsilon inf
refused 'laplace(scale=1)' --sensitivity 1 --delta 1
refused 'laplace(scale=1)' --sensitivity 1 --delta -1e-9
refused 'laplace(scale=1)' --sensitivity 0
refused 'laplace(scale=1)' --sensitivity 1 --grid 2
refused 'laplace(scale=1)' --sensitivity 1 --grid 0.3
refused 'discrete-laplace(scale=1)' --sensitivity 1 --grid 0.5
refused 'discrete-laplace(scale=1)' --sensitivity 0.5
refused 'laplace(scale=1)' --sensitivity 1 --dim 300
refused 'laplace(scale=1e30)' --sensitivity 1
refused 'laplace(scale=1)' --l2 1
refused 'laplace(scale=1)' --sensitivity 1 --seed 1
refused 'laplace(scale=1)' --sensitivity 1 --samples 999 --json
