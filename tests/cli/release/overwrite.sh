# No output takes the place of the data, the ledger, its key, the specification, a device or a link; nothing is charged.
printf 'region,income\nnorth,31000\n' >people.csv
cp people.csv before.csv
ln -s /dev/null hole
ask() {
    dpnoise release "${FILE-people.csv}" --count --epsilon 1 "$@" 2>&1 || echo "exit code $?"
    cmp people.csv before.csv
}
ask --report people.csv
ask --report ./people.csv
ask --save-spec "$PWD/people.csv" --dry-run
FILE=sqlite:people.csv ask --report people.csv
ask --report dpnoise-ledger.db
ask --ledger l.db --report ./l.db
ask --ledger l.db --report l.db.key
ask --ledger l.db --ledger-key k --save-spec ./k
ask --report page --save-spec ./page
ask --report hole
ask --report .
ls
