# A file that is read from its middle holds other rows than the whole: neither has the answer of the other, and both are paid for.
printf 'x\n' >table.csv
i=0
while [ $i -lt 40 ]; do echo 1 >>table.csv && i=$((i + 1)); done
size=$(wc -c <table.csv)
printf 'x\n7\n7\n7\n' >>table.csv
dpnoise budget init table --epsilon 10000 >/dev/null
ask() { dpnoise release - --count --epsilon 1000 --yes-epsilon --dataset table --ledger dpnoise-ledger.db --json 2>/dev/null; }
tail=$(($(wc -c <table.csv) - size))
whole() { ask <table.csv; }
middle() { python3 -c 'import os, sys
os.lseek(0, int(sys.argv[1]), os.SEEK_SET)
os.execvp("dpnoise", ["dpnoise", "release", "-", "--count", "--epsilon", "1000", "--yes-epsilon", "--dataset", "table", "--ledger", "dpnoise-ledger.db", "--json"])' "$size" <table.csv 2>/dev/null; }
echo "the last $tail bytes"
whole | near stored=false
middle | near stored=false
whole | near stored=true
middle | near stored=true
