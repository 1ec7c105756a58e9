# Four releases of Gaussian noise are one of half the sensitivity's square root: sigma doubles.
dpnoise calibrate gaussian --epsilon 0.3 --delta 1e-6 --sensitivity 1 --times 4 --json | near 3e-9 mse=675.208054 times=4
