# For people: the lines, without the numbers that chance decides. Where a long line is folded depends on those numbers, so folds are undone first.
dpnoise audit 'discrete-laplace(scale=2)' --sensitivity 1 --dim 3 --max-changed 1 --samples 1e5 | sed -E -z 's/\n {16}/ /g' |
    sed '/^  epsilon  *at least/s/least [0-9.]*,/least ...,/; s/an epsilon of [0-9.]*/an epsilon of .../; /^  epsilon/s/  */ /g; /^  [0-9]/d'
