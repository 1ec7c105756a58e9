# The tables for people: what ranks, marks and what they mean, and who is left out.
dpnoise compare --epsilon 1 --sensitivities 0.5,1.5 | rounded 4
echo
dpnoise compare --mse 50 --sensitivity 1.5 | rounded 4
echo
dpnoise compare --epsilon 1 --sensitivity 1.5 --objective mae --times 2 | rounded 4 | sed '/^not/,$d'
