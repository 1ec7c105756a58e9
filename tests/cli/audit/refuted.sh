# A claim that is not true is refuted: code 4, one object, no error in it.
code=0
dpnoise audit 'laplace(scale=1)' --sensitivity 1 --epsilon 0.8 --samples 1e5 --json >a.json 2>err || code=$?
echo $code
/usr/bin/python3 -c 'import json
a = json.load(open("a.json"))
print(a["pass"], a["claim"], "error" in a, a["epsilon_claimed"] < a["epsilon_lower"] < 1 + 1e-9)'
sed 's/least .*, not/least ..., not/; s/at delta [0-9.e-]*/at delta .../; s/not .*/not .../' err
# Noise without a sensitivity worth its name: every answer is where it was.
dpnoise audit 'laplace(scale=0.001)' --sensitivity 1 --epsilon 1 --delta 0.5 --samples 1e4 >a.txt 2>err || echo $?
sed -n 2p a.txt
# The same with enough delta passes.
dpnoise audit 'laplace(scale=1)' --sensitivity 1 --epsilon 0.8 --delta 0.1 --samples 1e5 | sed -n 2p
