# Weights: for pure Laplace noise, least w_i scale_i^2 with sum lambda_i/scale_i = epsilon has scale_i ~ (lambda_i/w_i)^(1/3).
dpnoise calibrate laplace --epsilon 1 --sensitivities 1,1 --weights 1,8 --json | near 3e-9 variance.0=18 variance.1=4.5 mse=22.5 error=54
# The mean absolute error: scale_i ~ sqrt(lambda_i).
dpnoise calibrate laplace --epsilon 1 --sensitivities 1,4 --objective mae --json | near 3e-9 error=9 variance.0=18 variance.1=72
