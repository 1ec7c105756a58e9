# Measures by hand. The line through (0, 1), (1, 2), (2, 2) is 7/6 + x/2: residuals -1/6, 1/3, -1/6, squares 1/6 in all, of 2/3 about the mean
# and 9 about 0. The row without a number is left out.
printf 'x,y\n0,1\n1,2\n2,2\n?,3\n' >line.csv
dpnoise fit linear line.csv --target y:0:4 --features x:0:4 --method non-private --json >line.json
dpnoise predict line.json line.csv --score --json | near 1e-4 rows=3 left_out=1 rmse=0.23570226 normalised_rss=0.25 test_error=0.0185185 private=false
# Against the model 1 + x/2: the constants are 1/6 apart, of a target of half-width 2, so 1/12 in the scaled unit.
sed 's/1\.16[0-9]*/1/g' line.json >other.json
dpnoise predict line.json line.csv --score --against other.json --json | near 1e-3 distance=0.083333 coverage=1
dpnoise predict line.json line.csv --score --against line.json --json | near 1e-9 distance=0 nmse=0 coverage=1
dpnoise predict line.json line.csv --score | tail -n 1
# Labels: x above 1/2 or not, and one that is not.
printf 'x,label\n0,0\n0.1,0\n0.4,1\n0.9,1\n0.8,1\n0.7,0\n' >label.csv
dpnoise fit logistic label.csv --target label:0:1 --features x:0:1 --method non-private --json >label.json
dpnoise predict label.json label.csv --score --json | near 1e-4 rows=6 misclassification=0.3333333
dpnoise predict line.json line.csv --against other.json || echo "exit code $?"
dpnoise predict line.json line.csv --score --against label.json || echo "exit code $?"
# No row has a number in every column.
printf 'x,y\n?,1\n' >none.csv
dpnoise predict line.json none.csv --score || echo "exit code $?"
# A quantile: one row lies below 2.5 x, one on it and one above.
sed 's/"fit": "linear"/"fit": "quantile"/g' line.json >quantile.json
dpnoise predict quantile.json line.csv --score --json | near 1e-4 share_below=0.6666667 mae=0.2222222
# Features whose bounds are not about 0: 1 + x/2 and 1 + x/4 on 2..6 are 3 and 2 in the middle, 2 and 1 wide on each side, of a target of half-width 2 about 2:
# 1/2 and 0, and 1/2 and 1/4, in the scaled unit.
printf 'x,y\n2,2\n6,4\n4,3\n' >half.csv
printf 'x,y\n2,1.5\n6,2.5\n4,2\n' >quarter.csv
for name in half quarter; do dpnoise fit linear $name.csv --target y:0:4 --features x:2:6 --method non-private --json >$name.json; done
dpnoise predict half.json half.csv --score --against quarter.json --json | near 1e-4 distance=0.5590170 nmse=5
# A label is what is above the middle of the bounds: 2 of 0..4 is not, and it is predicted so.
printf 'x,y\n0,2\n0.1,0\n0.2,2\n0.8,4\n0.9,3\n1,4\n' >middle.csv
dpnoise fit logistic middle.csv --target y:0:4 --features x:0:1 --method non-private --json >middle.json
dpnoise predict middle.json middle.csv --score --json | near 1e-9 rows=6 misclassification=0
