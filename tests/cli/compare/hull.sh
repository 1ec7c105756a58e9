# Answers that move within a hull: its joint noise is the least, half of that of independent noise.
printf '2 0\n1 2\n1 -2\n' >moves
dpnoise compare --epsilon 1 --vertices moves --json | near 1e-9 rows.0.family=k-norm rows.0.mse=70/3 rows.0.pure=true rows.1.family=start-staircase rows.3.family=blocks rows.3.mse=32
# A hull of vertices that move one answer each is an l1 ball, whose noise is independent.
printf '1 0 0\n0 1 0\n0 0 2\n' >axes
dpnoise calibrate k-norm --epsilon 1 --vertices axes --json | near 1e-9 plan.0.noise="k-norm(ball=l1,epsilon=1)" mse=12
# On an l2 ball the l2 ball is the joint noise.
dpnoise compare --epsilon 1 --l2 1 --dim 8 --json >ball
/usr/bin/python3 - <<'END'
import json
row = [row for row in json.load(open("ball"))["rows"] if row["family"] == "k-norm"][0]
assert abs(row["mse"] - 72) < 1e-9 and "ball=l2" in row["plan"][0]["noise"], row
END
