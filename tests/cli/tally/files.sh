# What is read is not written over, a secret is its owner's, and a file that is no state is called that.
printf 'id,income\n1,1000\n2,3000\n' >a.csv
dpnoise release a.csv --count --person-id id --epsilon 1 --dry-run --save-spec q.json >/dev/null
cp q.json before.json
dpnoise tally --new-secret secret
cp -p secret kept
ln -s q.json link.json
try() { dpnoise "$@" 2>&1 || echo "exit $?"; }
try tally a.csv --spec q.json --secret secret -o q.json
try tally a.csv --spec q.json --secret secret -o link.json
try tally a.csv --spec q.json --secret secret -o ./secret
try tally a.csv --spec q.json --secret secret -o a.state
try merge a.state --spec q.json --secret secret -o q.json
try merge a.state --secret secret -o secret
cp a.state before.state
ln -s a.state again.state
try merge a.state --secret secret -o a.state
try merge a.state --secret secret -o again.state
try tally a.csv --spec q.json --secret secret -o ./a.csv
cmp a.state before.state
cmp q.json before.json
cmp secret kept
echo "a secret that others may read"
for mode in 644 640 604; do
    chmod $mode secret
    try tally a.csv --spec q.json --secret secret -o b.state
done
try merge a.state --secret secret -o b.state
try release --states a.state --secret secret --dataset people --ledger l.db
chmod 400 secret
try tally a.csv --spec q.json --secret secret -o b.state
cmp a.state b.state
echo "sums of keys with line ends, as engines quote them"
printf 'k\n"a\nb"\n"a\nb"\n"c,"""\n' >keys.csv
dpnoise release keys.csv --multiline --count --by k --epsilon 1 --delta 1e-6 --dry-run --save-spec keys.json >/dev/null
try tally keys.csv --multiline --spec keys.json -o rows.state
printf 'k,dpn_rows,dpn_0\n"c,""",1,1\n"a\nb",2,2\n' >sums.csv
try tally sums.csv --sums --spec keys.json -o sums.state
cmp rows.state sums.state
printf 'k,dpn_rows,dpn_0\n"c,"",1,1\n"a\nb",2,2\n' >sums.csv
try tally sums.csv --sums --spec keys.json -o bad.state 2>&1 | grep -c exit
echo "no states"
echo 'hello, world' >bad.state
printf d >short.state
for file in bad.state short.state a.csv; do
    try merge a.state $file -o x.state
    try merge $file -o x.state
    try release --states $file --dataset people --ledger l.db
done
ls x.state l.db 2>/dev/null || echo "and nothing was made"
echo "what is there and is no state stays; states and empty files do not"
echo kept >notes.txt
: >empty.state
mkfifo pipe
for out in notes.txt keys.json - pipe; do
    try merge a.state --secret kept -o $out
    try tally a.csv --spec q.json --secret kept -o $out
done
cat notes.txt
ls ./- 2>/dev/null || echo "no file -"
try merge a.state --secret kept -o empty.state
try merge a.state --secret kept -o b.state
try tally a.csv --spec q.json --secret kept -o empty.state
cmp empty.state b.state
