# Gaussian noise: the l2 norm decides. Value: the project's vectors. Other noise: the directions, no less than the profile of
# these two moves, and no more than that of the box around the ball.
dpnoise profile 'gaussian(sigma=105.87651404934905)' --l2 4.47213595499958 --dim 20 --epsilon 0.2 --json >gaussian
holds 1e-6 delta=9.999974789092136232338988e-9~1e-13 <gaussian
near argument=l2-Gaussian sensitivity.dimension=20 <gaussian
law='osgt(m=3,sigma=6)'
dpnoise profile "$law" --l2 1 --dim 4 --epsilon 0.5 --json >bound
near argument=directions <bound
one=$(dpnoise profile "$law" --sensitivity 1 --epsilon 0.5 --json | sed 's/.*"delta": \([^,]*\),.*/\1/')
all=$(dpnoise profile "$law" --sensitivity 0.5 --dim 4 --epsilon 0.5 --json | sed 's/.*"delta": \([^,]*\),.*/\1/')
box=$(dpnoise profile "$law" --sensitivity 1 --dim 4 --epsilon 0.5 --json | sed 's/.*"delta": \([^,]*\),.*/\1/')
/usr/bin/python3 -c '
import json, sys
one, every, box = map(float, sys.argv[1:])
bound = json.load(open("bound"))
assert max(one, every) <= bound["delta"] <= min(box, 1.3 * bound["delta_lower"]), (bound, one, every, box)' "$one" "$all" "$box"
