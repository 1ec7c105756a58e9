# A plan for many sums is accepted at every epsilon: what the search certifies, the fit certifies again by parts.
# dear: five searches over many sums; fit has smaller ones
header=y target=y:0:400 features=
for j in 1 2 3 4 5 6 7 8 9 10; do
    header=$header,x$j features=$features${features:+,}x$j:0:$((j * j))
done
echo "$header" >rows.csv
for epsilon in 1 2 3 5 10; do
    dpnoise fit linear rows.csv --target $target --features $features --method moments --epsilon $epsilon --delta 5e-6 --dry-run |
        grep -c "($epsilon, 5e-6)-differentially private"
done
