# Pure: the scale is the sensitivity over epsilon, to the last places; 2 scale^2 for each answer.
dpnoise calibrate laplace --epsilon 0.5 --sensitivity 1 --dim 3 --json | near 3e-9 mse=216 variance.2=72 interval95.0=17.97439364132394 \
    pure=true delta=0 pure_epsilon=0.5 epsilon=0.5 delta_asked=0
# Different sensitivities, INID Theorem 8: scale_i proportional to sensitivity_i^(1/3).
dpnoise calibrate laplace --epsilon 1 --sensitivities 1,8 --json >plan
near 3e-9 variance.0=50 variance.1=200 <plan
# The same noise on both: scale 9.
dpnoise calibrate laplace --epsilon 1 --sensitivities 1,8 --identical --json | near 3e-9 variance.0=162 variance.1=162 identical=true
