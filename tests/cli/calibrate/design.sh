# FH Fig. 6 and INID's profiles; see tests/unit/calibrate/t-design.c for where the numbers come from.
dpnoise calibrate flipped-huber --variance 16 --scale 7
dpnoise calibrate osgt --variance 16 --scale 7 | sed 's/m=11.02000[0-9]*/m=11.02000/'
dpnoise calibrate laplace --variance 18 --json
dpnoise calibrate osgt --variance 16 --shape 0.5 | tail -n 1
dpnoise calibrate flipped-huber --construction gamma-sigma --epsilon 0.3 --delta 1e-6 --sensitivity 1 | cut -c 1-40 | sed 's/\(\.[0-9]\{4\}\)[0-9]*/\1/g'
dpnoise calibrate --sensitivities 1,2 --inequality
dpnoise calibrate --sensitivities 1,2 --majorises 1,1 --json | near gini=0.16666666666666666 gain=1.1111111111111112
dpnoise calibrate --sensitivities 1,1,1 --majorises 1,1,0 | unwrapped | tail -n 1
dpnoise calibrate --sensitivities 10,6,5,1 --majorises 9,8,3,3 | unwrapped | tail -n 1
dpnoise loss 'flipped-huber(alpha=5,gamma=4)' --shift 1 --epsilon 1 --dim 5 | tail -n 5
