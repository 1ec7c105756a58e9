# For people: the lines, without the numbers that chance decides.
dpnoise audit 'discrete-laplace(scale=2)' --sensitivity 1 --dim 3 --max-changed 1 --samples 1e5 |
    sed '/^  epsilon  *at least/s/least [0-9.]*,/least ...,/; s/an epsilon of [0-9.]*/an epsilon of .../; /^  epsilon/s/  */ /g; /^  [0-9]/d'
