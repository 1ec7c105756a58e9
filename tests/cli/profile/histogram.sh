# At most 2 of 1000 cells move: the 2-fold composition. Value: mpmath, by integrating the profile of one over the loss of the other.
law='osgt(m=3,sigma=6.3)'
dpnoise profile "$law" --dim 1000 --linf 1 --max-changed 2 --epsilon 1 --json |
    holds 1e-5 delta=0.000000792293477005952225545433629961~1e-12
dpnoise profile --law "$law" --sensitivity 1 --times 2 --epsilon 1 --json |
    holds 1e-5 delta=0.000000792293477005952225545433629961~1e-12
# The number of cells does not matter, and need not be told.
dpnoise profile "$law" --sensitivity 1 --max-changed 2 --epsilon 1 --json |
    holds 1e-5 delta=0.000000792293477005952225545433629961~1e-12
