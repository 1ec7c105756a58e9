# A dry run says what would come out and what it would cost, and leaves nothing behind.
printf 'region,income\nnorth,31000\nsouth,42000\n' >people.csv
ask() { dpnoise release people.csv "$@" --dry-run; }
ask --count --by region --levels region=north,south --epsilon 1
ls
ask --mean income:0:100000 --histogram income:0,50000,100000 --epsilon 1 | sed -n '/in a group/,/^$/p' | sed 's/+- [0-9.]*/+- W/g' | tr -s ' '
ask --mean income:0:100000 --count --epsilon 1 --json | near outputs.0.interval95_at.2.rows=10000 outputs.1.proportion95_at.0.rows=100 \
    outputs.1.proportion95_at.0.half_width=0.04
dpnoise budget init people --epsilon 1 >/dev/null
dpnoise release people.csv --count --epsilon 0.5 >/dev/null
before=$(cksum <dpnoise-ledger.db)
ask --count --epsilon 0.5 | sed -n '/cost/,$p' | sed 's/answered .* UTC/answered TIME/'
ask --count --epsilon 0.25 | sed -n '/cost/,$p'
ask --count --epsilon 0.75 | sed -n '/cost/,$p'
ask --count --epsilon 0.25 --json | near dry_run=true fits=true outputs.0.statistic=count groups=1 ledger.remaining.epsilon=0.5 stored=false
ask --count --epsilon 0.75 --json | near fits=false
test "$before" = "$(cksum <dpnoise-ledger.db)"
# No row is read: the rows of this file are bad.
printf 'income\nSECRET\n' >bad.csv
dpnoise release bad.csv --sum income:0:1 --epsilon 1 --dry-run | tail -n 1
