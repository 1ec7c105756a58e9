# For people: the condition below the exact table; the list.
dpnoise profile 'flipped-huber(alpha=3,gamma=6)' --sensitivity 1 --dim 3 --epsilon 0.2,1 --condition fh-theorem-8
dpnoise profile 'gaussian(sigma=4)' --sensitivity 1 --epsilon 1 --condition inid-theorem-4 | grep condition
dpnoise profile 'laplace(scale=4)' --sensitivity 1 --epsilon 1 --condition probabilistic | grep condition
dpnoise profile --condition list
dpnoise profile --condition list --json | cut -c 1-60
dpnoise profile 'gaussian(sigma=4)' --sensitivity 1 --epsilon 1,2 --condition osgt-22 --json |
    /usr/bin/python3 -c 'import json, sys; d = json.load(sys.stdin); print(*d); print(*d["profile"][1])'
