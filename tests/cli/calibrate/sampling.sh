# The least noise for steps on random samples: sigma 1 has epsilon 2.12451517 at 1e-6; what is refused.
dpnoise calibrate gaussian --sample-rate 0.01 --steps 1000 --epsilon 2.12451517 --delta 1e-6 --sensitivity 1 --json |
    near 1e-6 family=gaussian variance=1 delta=1e-6 sample_rate=0.01 steps=1000 relation=add-remove
# An l2 sensitivity of 2 needs twice the noise.
dpnoise calibrate gaussian --sample-rate 0.01 --steps 1000 --epsilon 2.12451517 --delta 1e-6 --l2 2 --dim 50 --json | near 1e-6 variance=4
dpnoise calibrate gaussian --sample-rate 0.01 --steps 1000 --epsilon 2 --delta 1e-6 --sensitivity 1 | grep -E 'private|sampling|neighbours'
for bad in '--steps 5' '--sample-rate 2' '--sample-rate 0.1 --times 3' '--sample-rate 0.1 --relation replace' '--sample-rate x'; do
    # shellcheck disable=SC2086 # options
    dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 $bad || echo $?
done
dpnoise calibrate osgt --sample-rate 0.1 --epsilon 1 --delta 1e-6 --sensitivity 1 || echo $?
dpnoise calibrate laplace --sample-rate 0.1 --epsilon 1 --delta 1e-6 --l2 1 --dim 3 || echo $?
dpnoise calibrate gaussian --sample-rate 0.1 --epsilon 1 --sensitivity 1 || echo $?
