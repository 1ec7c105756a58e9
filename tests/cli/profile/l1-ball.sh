# The worst move of an l1 ball is that of one answer: one dimension, whatever the number of answers. Value: the project's vectors.
dpnoise profile 'osgt(m=3,sigma=6.324555320336759)' --l1 1 --dim 7 --epsilon 1 --json >seven
holds 1e-6 delta=7.847361017748750189931492e-12 <seven
near argument=one-hot <seven
dpnoise profile 'osgt(m=3,sigma=6.324555320336759)' --l1 1 --epsilon 1 --json >any
holds 1e-6 delta=7.847361017748750189931492e-12 <any
near argument=one-hot sensitivity.l1=1 <any
