# What joint noise saves, before anything is spent: two sums that one row moves have half the squared error of Laplace noise in shares of epsilon
# (4 for 8 in units of what a row moves); one sum has none to save.
printf 'x\n1\n' >t.csv
dpnoise release t.csv --count --sum x:0:10 --epsilon 1 --dry-run | grep -A 1 'joint noise'
dpnoise release t.csv --count --epsilon 1 --dry-run | grep 'joint noise' || echo none
