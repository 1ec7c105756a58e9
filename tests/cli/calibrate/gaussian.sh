# The analytic Gaussian mechanism: sigma solves Phi(1/2s - es) - e^e Phi(-1/2s - es) = delta. The scale is on the safe side
# of the root (12.992382905935, 60 digits: 168.80201357), by less than 1e-9.
dpnoise calibrate gaussian --epsilon 0.3 --delta 1e-6 --sensitivity 1 --json | near 3e-9 mse=168.8020135 variance.0=168.8020135 \
    epsilon=0.3 condition=exact objective=mse argument=corner pure=false sub_gaussian=true integer=false bounded=false limit=false
dpnoise calibrate gaussian --epsilon 3 --delta 1e-6 --sensitivity 1 --json | near 3e-6 mse=2.38351
