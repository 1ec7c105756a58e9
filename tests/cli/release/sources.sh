# The same rows from every source. With this epsilon the noise on counts is 0, so that the answers can be compared.
printf 'region,income\nnorth,31000\n"so, uth",42000\nnorth,7\n' >people.csv
printf 'region\tincome\nnorth\t31000\nso, uth\t42000\nnorth\t7\n' >people.tsv
gzip -k people.csv
/usr/bin/python3 -c 'import sqlite3
with sqlite3.connect("people.db") as db:
    db.execute("CREATE TABLE people (region TEXT, income INTEGER)")
    db.execute("CREATE TABLE other (x)")
    db.executemany("INSERT INTO people VALUES (?, ?)", [("north", 31000), ("so, uth", 42000), ("north", 7)])'
printf 'north\r\nso, uth\n\nwest\n' >levels.txt
# ask SOURCE OPTION...: the answer, each from a ledger of its own.
ask() {
    rm -f l.db*
    dpnoise release "$@" --count --histogram income:0,100,100000 --by region --epsilon 1000 --yes-epsilon --ledger l.db --csv 2>/dev/null | tr -d '\r'
}
ask people.csv --levels 'region=north,"so, uth",west' | tee wanted
for source in people.tsv people.csv.gz 'people.db --table people' 'sqlite:people.db --table people'; do
    # shellcheck disable=SC2086 # a source and its table
    ask $source --levels region=@levels.txt | diff wanted -
done
ask - --dataset stream --levels region=@levels.txt <people.csv | diff wanted -
ask people.csv --levels region=@levels.txt --threads 1 | diff wanted -
