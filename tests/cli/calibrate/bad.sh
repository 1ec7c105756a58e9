# Each of these is refused with one sentence and the code 2, or 4 where there is no answer; nothing is printed or written.
refused() { dpnoise calibrate "$@" || echo $?; }
refused
refused --epsilon 1 --sensitivity 1
refused gausian --epsilon 1 --delta 1e-6 --sensitivity 1
refused knorms --epsilon 1 --sensitivity 1
refused k-norm --epsilon 1 --sensitivity 1 --condition zcdp
refused 'gaussian(sigma=1)' --epsilon 1 --delta 1e-6 --sensitivity 1
refused gaussian laplace --epsilon 1 --delta 1e-6 --sensitivity 1
refused gaussian --delta 1e-6 --sensitivity 1
refused gaussian --epsilon 1 --delta 1e-6
refused gaussian --epsilon 1 --sensitivity 1
refused gaussian --epsilon -1 --delta 1e-6 --sensitivity 1
refused gaussian --epsilon nan --delta 1e-6 --sensitivity 1
refused gaussian --epsilon inf --delta 1e-6 --sensitivity 1
refused gaussian --epsilon 1e999999999 --delta 1e-6 --sensitivity 1
refused gaussian --epsilon 1,2 --delta 1e-6 --sensitivity 1
refused gaussian --epsilon 1 --epsilon 2 --delta 1e-6 --sensitivity 1
refused gaussian --epsilon 1 --delta 1 --sensitivity 1
refused gaussian --epsilon 1 --delta -1e-6 --sensitivity 1
refused laplace --epsilon 0 --sensitivity 1
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity -1
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity inf
refused gaussian --epsilon 1 --delta 1e-6 --l1 2
refused gaussian --epsilon 1 --delta 1e-6 --sensitivities 1,2 --dim 3
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --dim 0
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --condition approximate
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --objective variance
refused gaussian --epsilon 1 --delta 1e-6 --sensitivities 1,2 --weights 1,2,3
refused gaussian --epsilon 1 --delta 1e-6 --sensitivities 1,2 --weights 1,0
refused gaussian --epsilon 1 --delta 1e-6 --sensitivities 1,2 --weights 1,-inf
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --times 0
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --times 1.5
refused gaussian --epsilon 1 --mse 3 --delta 1e-6 --sensitivity 1
refused gaussian --mse 3 --mae 2 --delta 1e-6 --sensitivity 1
refused gaussian --mse 0 --delta 1e-6 --sensitivity 1
refused gaussian --mse 3 --objective mae --delta 1e-6 --sensitivity 1
refused gaussian --interval95 -1 --delta 1e-6 --sensitivity 1
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --shape 2
refused osgt --epsilon 1 --delta 1e-6 --sensitivity 1 --shape 2:1
refused osgt --epsilon 1 --delta 1e-6 --sensitivity 1 --shape -1
refused osgt --epsilon 1 --delta 1e-6 --sensitivity 1 --shape 1:
refused osgt --epsilon 1 --delta 1e-6 --sensitivity 1 --shape 1:2:3
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --plot p.gif
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 0 --plot p.svg
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --relation swap
refused gaussian --epsilom 1 --delta 1e-6 --sensitivity 1
ls -A
