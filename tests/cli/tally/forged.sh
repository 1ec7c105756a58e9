# States that were changed, with a check that fits again, are refused before the charge, one alone and beside others: by release and by merge.
printf 'id,income\n1,1000\n1,2000\n1,2500\n2,3000\n' >a.csv
dpnoise release a.csv --count --sum income:0:9000 --person-id id --max-rows 2 --epsilon 1 --dry-run --save-spec persons.json --ledger none.db >/dev/null
dpnoise release a.csv --count --epsilon 1 --dry-run --save-spec rows.json --ledger none.db >/dev/null
dpnoise tally --new-secret secret
dpnoise tally a.csv --spec persons.json --secret secret -o persons.state >/dev/null
dpnoise tally a.csv --spec rows.json -o rows.state >/dev/null
for unit in person row; do dpnoise budget init $unit --epsilon 5 --unit $unit --ledger l.db >/dev/null; done
seal() { # FILE: the bytes that stand in it, with their check behind them
    sum=$(tail -c +$(($(head -n 2 "$1" | wc -c) + 1)) "$1" | sha256sum | cut -c 1-64)
    while [ "$sum" ]; do
        rest=${sum#??}
        printf "\\$(printf '%o' "0x${sum%"$rest"}")" >>"$1"
        sum=$rest
    done
}
forge() { # STATE OUT PLACE BYTES: 8 bytes of the state from PLACE on become BYTES; without a place they come behind its end
    head -c -32 "$1" >"$2"
    place=$(($(head -n 2 "$1" | wc -c) + ${3:-0}))
    if [ "$3" ]; then printf "$4" | dd of="$2" bs=1 seek=$place conv=notrunc 2>/dev/null; else printf "$4" >>"$2"; fi
    seal "$2"
}
refused() { # UNIT STATE...
    unit=$1
    shift
    secret='--secret secret'
    [ $unit = person ] || secret=
    dpnoise release --states "$@" $secret --dataset $unit --ledger l.db 2>&1 || echo "exit $?"
    dpnoise merge "$@" $secret -o merged.state 2>&1 || echo "exit $?"
    [ ! -e merged.state ] || echo "merged"
}
echo "as it was"
forge persons.state same.state 240 '\004\000\000\000\000\000\000\000'
cmp same.state persons.state
echo "something behind its end"
forge persons.state behind.state '' '\000'
refused person behind.state
refused person persons.state behind.state
echo "fewer rows than those of its persons, more than there can be"
forge persons.state few.state 240 '\001\000\000\000\000\000\000\000'
refused person few.state
forge rows.state many.state 240 '\001\000\000\000\020\000\000\000'
refused row many.state
echo "a count that its rows cannot have, below 0 and above"
forge rows.state below.state 272 '\377\377\377\377\377\377\377\377'
refused row below.state
forge rows.state above.state 272 '\005\000\000\000\000\000\000\000'
refused row above.state
echo "each has as many rows as there can be, and all together too many"
forge rows.state full.state 240 '\000\000\000\000\020\000\000\000'
refused row full.state rows.state
echo "nothing is charged"
for unit in person row; do dpnoise budget show $unit --ledger l.db --json | grep -o '"charges": [0-9]*'; done
