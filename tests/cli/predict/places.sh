# Rows that cannot be read have their lines, wherever they stand: the first, two together, one with a NUL byte, the last.
printf 'x,y\n0,1\n1,2\n2,2\n' >line.csv
dpnoise fit linear line.csv --target y:0:4 --features x:0:4 --method non-private --json >line.json
printf 'x,y\n1\n0,1\n1,2\n1,2,3\n7\n2,2\n\0,1\n0,3\n0,3,1' >odd.csv
dpnoise predict line.json odd.csv | awk '{ printf $1 == "" ? "-\n" : "%.2f\n", $1 }'
dpnoise predict line.json odd.csv >/dev/null || echo "exit code $?"
dpnoise predict line.json odd.csv --json 2>/dev/null | head -n 1 | near 1e-4 predictions.0=null predictions.1=1.1666667 predictions.4=null predictions.5=2.1666667 predictions.8=null
# Many of them, over several buffers.
awk 'BEGIN { print "x,y"; for (i = 0; i < 60000; i++) print i % 5000 ? i % 3 ",1" : "odd" }' >long.csv
dpnoise predict line.json long.csv 2>/dev/null | awk '($1 == "") != ((NR - 1) % 5000 == 0) { wrong++ } END { print NR, wrong + 0 }'
