# Without sensitivity there is no noise and no error.
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivities 0,0 --json | near mse=0 delta=0 pure=true plan.0.noise=none plan.0.coordinates=0-1
