# An audit of a fit reads no row, charges nothing and makes no ledger.
printf 'x,y\n0,0\n' >line.csv
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --no-intercept --method moments --epsilon 1 --audit 1000 --json | near pass=true samples=1000 pairs=5 claim=declared unit=row
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --method moments --epsilon 1 --audit 1000 | sed -n '1,2p'
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --epsilon 1 --audit 10 || echo "exit code $?"
dpnoise fit linear line.csv --target y:-1:1 --features x:-1:1 --epsilon 1 --audit 1000 --plot p.svg || echo "exit code $?"
ls
