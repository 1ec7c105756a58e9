# A plan takes the place of a law: a line for each draw of all answers, joint noise jointly.
dpnoise calibrate start-box --epsilon 1 --sensitivities 1,0.3,0 --json >plan.json
dpnoise sample --plan plan.json --count 2000 >lines
awk 'NF != 3 || $3 != 0 { exit 1 } { s += $1 * $1 + $2 * $2 } END { exit !(NR == 2000 && s / NR > 3 && s / NR < 4.5) }' lines
# Noise on the integers, with a delta, for a count that moves by 3; the JSON says the grids.
dpnoise calibrate discrete-staircase --epsilon 1 --delta 0.01 --sensitivity 3 --json >stairs.json
dpnoise sample --plan stairs.json --count 500 | grep -c '^-*[0-9]*$'
dpnoise sample --plan stairs.json --count 2 --json | /usr/bin/python3 -c '
import json, sys
said = json.load(sys.stdin)
assert said["grids"] == [1] and said["count"] == 2 and len(said["samples"]) == 2 and len(said["samples"][0]) == 1
assert said["plan"][0]["noise"].startswith("discrete-staircase(epsilon=1,step=3,low=")'
# A grid for all.
dpnoise sample --plan plan.json --grid 0.5 --count 100 | grep -c '^-*[0-9]*\(\.5\)* -*[0-9]*\(\.5\)* 0$'
# Noise that nobody knows is not drawn.
echo '[{"coordinates": "0", "noise": "pure(epsilon=1)", "sensitivities": 1}]' >pure.json
dpnoise sample --plan pure.json || echo $?
dpnoise sample --plan pure.json --grid 1 || echo $?
# What profile refuses is not drawn either: a staircase for moves of 2 under an answer that moves by 3.
dpnoise calibrate discrete-staircase --epsilon 1 --sensitivity 3 --json | sed 's/step=3/step=2/' >narrow.json
dpnoise profile --plan narrow.json --epsilon 1 || echo $?
dpnoise sample --plan narrow.json || echo $?
# Noise of a plan that is given as a law.
dpnoise sample 'start-box(epsilon=1)' || echo $?
