refused() { dpnoise profile "$@" --epsilon 1 || echo $?; }
refused --law 'laplace(scale=1)'
refused --law 'laplace(scale=0)' --sensitivity 1
refused --law 'laplace(scale=1)' --sensitivity -1
refused --law 'laplace(scale=1)' --sensitivity 1 --sensitivity 1
refused --law 'discrete-laplace(scale=1)' --sensitivity 0.5
refused --law 'laplace(scale=1)' --sensitivity 1 --times 0
refused --law 'laplace(scale=1)' --sensitivity 1 --times 2.5
refused --law 'laplace(scale=1)' --sensitivity 1 --times 1000000000000000001
refused --law 'laplace(scale=1)' --sensitivity 1 --times -3
refused --law 'laplace(scale=1)' --sensitivity 1 --times 2 --times 3
refused --times 3 --law 'laplace(scale=1)' --sensitivity 1
refused --sensitivity 1 --law 'laplace(scale=1)'
refused --pure 1 --sensitivity 1
refused --pure -1
refused --block x
refused --law 'laplace(scale=1)' --sensitivity 1 --dim 2
refused 'laplace(scale=1)' --pure 1
