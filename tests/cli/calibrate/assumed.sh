# A calibration without a set is for answers that move by at most 1, and says so; with --dim 3 each of three does.
dpnoise calibrate laplace --epsilon 1 --unit person | unwrapped | grep -E '^laplace|assumed'
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --dim 3 --json >assumed
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --dim 3 --linf 1 --json >said
sed 's/"sensitivity_assumed": true, //' assumed | cmp - said && ! cmp -s assumed said && echo same
# So for training, for tables of guarantees and for comparisons; a vector's move is asked for.
dpnoise calibrate gaussian --sample-rate 0.01 --steps 1000 --epsilon 2.12451517 --delta 1e-6 --json |
    near 1e-6 variance=1 sensitivity=1 sensitivity_assumed=true
dpnoise calibrate laplace --epsilon 1,2 | unwrapped | grep -c assumed
dpnoise compare --epsilon 1 | unwrapped | grep -c assumed
dpnoise calibrate gaussian --sample-rate 0.01 --steps 10 --epsilon 1 --delta 1e-6 --dim 3 || echo $?
# What is said is not assumed, and noise that is added to data is never assumed to suffice.
dpnoise calibrate laplace --epsilon 1 --sensitivity 1 | grep -c assumed || true
echo 5 | dpnoise add --epsilon 1 || echo $?
