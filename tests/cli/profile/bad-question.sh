# Each of these is refused with one sentence and the code 2.
refused() { dpnoise profile "$@" || echo $?; }
law='gaussian(sigma=5)'
refused
refused --epsilon 1
refused "$law" --sensitivity 1
refused "$law" --epsilon 1
refused "$law" --sensitivity 1 --epsilon 1 --delta 1e-6
refused 'gausian(sigma=5)' --sensitivity 1 --epsilon 1
refused 'gaussian(sigma=-5)' --sensitivity 1 --epsilon 1
refused "$law" --sensitivity 1 --epsilon nan
refused "$law" --sensitivity 1 --epsilon 1e999999999
refused "$law" --sensitivity 1 --epsilon 1,,2
refused "$law" --sensitivity 1 --delta 1
refused "$law" --sensitivity 1 --delta 1e-6,-1e-9
refused "$law" --sensitivity 1 --delta inf
refused "$law" --sensitivity 1 --delta 1e-400
refused "$law" --sensitivity 1 --epsilon 1 --accuracy 0
refused "$law" --sensitivity 1 --epsilon 1 --method magic
refused "$law" --sensitivity 1 --epsilon 1 --relation remove
refused "$law" --sensitivity 1 --epsilon 1 --unit cow
refused "$law" --sensitivity 1 --epsilom 1
refused "$law" --sensitivity 1 --epsilon 1 --times 3
refused "$law" --sensitivity 1 --epsilon 1 --export parts
refused "$law" --sensitivity 1 --epsilon 1 --plot p.gif
ls -A
