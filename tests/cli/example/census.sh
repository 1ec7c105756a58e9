# The census is written once, is the same every time, and is left alone afterwards.
dpnoise example census
cp census.csv first.csv
dpnoise example census || echo "exit $?"
cmp census.csv first.csv
dpnoise example census --output census.csv --rows 1000 --json
head -n 1001 first.csv | cmp - census.csv
dpnoise example census --rows 1000 --output - | cmp - census.csv
# From the rows: every region and school, ages of adults, nobody with more than 80 hours.
awk -F, 'NR > 1 { region[$2]; school[$3]; if ($4 < 18 || $4 > 90 || $7 > 80 || $6 < 0) print "odd: " $0 }
    END { for (i in region) r++; for (i in school) s++; print NR - 1, r, s }' first.csv
