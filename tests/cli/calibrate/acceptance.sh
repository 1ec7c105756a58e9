# One answer at epsilon 0.3 and delta 1e-6; staircase noise is pure.
calibrate() { dpnoise calibrate "$@" --epsilon 0.3 --sensitivity 1 --json; }
calibrate gaussian --delta 1e-6 | near 3e-6 mse=168.802
calibrate flipped-huber --delta 1e-6 | near 3e-6 mse=22.2128
calibrate truncated-laplace --delta 1e-6 | near 3e-6 mse=22.2114 bounded=true
calibrate staircase | near 3e-6 mse=22.139 pure=true delta=0 log_delta=-inf
calibrate laplace --delta 1e-6 | near 3e-6 mse=22.2219
calibrate osgt --delta 1e-6 --shape 0:0.6745 | near 1e-5 mse=108.722
