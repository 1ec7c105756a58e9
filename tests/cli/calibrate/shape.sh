# A fixed shape, a range, and what the JSON says of them. Flipped Huber noise with alpha/gamma = 2 has alpha = 2 gamma.
dpnoise calibrate flipped-huber --epsilon 1 --delta 1e-6 --sensitivity 1 --shape 2 --json >plan
near shape.name=alpha/gamma shape.min=2 shape.max=2 family=flipped-huber <plan
/usr/bin/python3 - <<'END'
import json, re
alpha, gamma = map(float, re.fullmatch(r"flipped-huber\(alpha=(.*),gamma=(.*)\)", json.load(open("plan"))["law"]).groups())
assert abs(alpha / gamma - 2) < 1e-12, alpha / gamma
END
# The paper's restriction of OSGT noise to m/sigma <= 0.6745.
dpnoise calibrate osgt --epsilon 0.3 --delta 1e-6 --sensitivity 1 --shape 0:0.6745 --json | near 1e-5 mse=108.722 shape.max=0.6745
# Subbotin noise with p = 2 is Gaussian noise, also on several answers: 20 times the variance 356.958.
dpnoise calibrate subbotin --epsilon 1 --delta 1e-6 --sensitivity 1.5 --dim 20 --shape 2 --json | near 1e-6 mse=16063.12
