# Whole outputs, their numbers cut to six digits.
dpnoise calibrate gaussian --epsilon 0.3 --delta 1e-6 --sensitivity 1 | rounded
echo
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --linf 1 --max-changed 2 --dim 50 --relation add-remove --unit person | rounded
echo
dpnoise calibrate laplace --epsilon 1 --sensitivities 1,8,0,1 --times 2 | rounded
echo
dpnoise calibrate truncated-laplace --epsilon 1 --delta 1e-6 --sensitivity 1 | unwrapped | grep -e bounded
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivities 1,2 --weights 4,1 --objective mae | grep minimised | rounded
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --condition zcdp | grep condition
