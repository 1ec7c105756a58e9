# The members, in their order.
dpnoise calibrate laplace --epsilon 1 --delta 1e-6 --sensitivities 1,2 --json |
    /usr/bin/python3 -c 'import json, sys; o = json.load(sys.stdin); print(*o); print(*o["plan"][0]); print(*o["sensitivity"])'
dpnoise calibrate laplace --epsilon 1 --sensitivity 1 --json |
    /usr/bin/python3 -c 'import json, sys; o = json.load(sys.stdin); print(o["law"][:14], o["law"] == o["plan"][0]["noise"])'
dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --json --plot p.svg | near plot=p.svg
grep -c '</svg>' p.svg
