# A box of equal whole sensitivities looks like a histogram; the histogram itself needs far less noise, and no warning.
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --dim 100 | sed -n 2p
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --linf 1 --max-changed 2 --dim 100 --json | near 3e-6 variance.0=35.6958235 argument=corner
