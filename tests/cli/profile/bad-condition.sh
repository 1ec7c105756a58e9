# Each of these is refused with one sentence and the code 2.
refused() { dpnoise profile "$@" || echo $?; }
law='gaussian(sigma=5)'
refused "$law" --sensitivity 1 --epsilon 1 --condition magic
refused "$law" --sensitivity 1 --epsilon 1 --condition
refused "$law" --sensitivity 1 --delta 1e-6 --condition osgt-20
refused "$law" --sensitivity 1 --epsilon -1 --condition osgt-20
refused "$law" --sensitivity 1 --epsilon 1 --condition fh-theorem-8
refused 'osgt(m=1,sigma=2)' --sensitivity 1 --dim 2 --epsilon 1 --condition osgt-theorem-1
refused --law "$law" --sensitivity 1 --epsilon 1 --condition osgt-20
