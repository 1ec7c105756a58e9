# The other way round leads back: the error of epsilon 0.3 needs epsilon 0.3.
dpnoise calibrate gaussian --mse 168.8020136 --delta 1e-6 --sensitivity 1 --json | near 3e-6 epsilon=0.3 error_asked=168.8020136
# Laplace: mean absolute error = scale; half-width = scale log 20, averaged over the answers.
dpnoise calibrate laplace --mae 40 --sensitivity 1 --dim 4 --json 2>/dev/null | near 3e-6 epsilon=0.4 objective=mae
dpnoise calibrate laplace --interval95 29.957322735539908 --sensitivity 1 --dim 4 --json 2>/dev/null | near 3e-6 epsilon=0.4 objective=interval95
# The mean of equal half-widths is the same whatever the weights.
dpnoise calibrate laplace --interval95 29.957322735539908 --sensitivities 1,1,1,1 --weights 1,2,3,4 --identical --json 2>/dev/null | near 3e-6 epsilon=0.4
