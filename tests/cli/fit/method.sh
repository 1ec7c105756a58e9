# A method that is nothing like any is told which there are.
dpnoise fit linear none.csv --target y:0:1 --features x:0:1 --epsilon 1 --method gradients 2>&1 | sed 's/\(there are auto\), .*/\1/'
