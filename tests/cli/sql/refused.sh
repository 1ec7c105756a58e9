# What an engine cannot do exactly is refused, with the reason; a type that nobody knows is asked for.
printf 'id,region,x\n1,a,2\n' >t.csv
ask() { dpnoise release t.csv "$@" --epsilon 1 --dry-run --save-spec q.json >/dev/null; }
sql() { dpnoise sql --spec q.json --table t "$@" 3>&1 >query 2>&3; }
ask --sum x:0:100
for type in text decimal; do sql --dialect duckdb --type x=$type || echo "exit $?"; done
sql --dialect duckdb || echo "exit $?"
sql --dialect duckdb --type x=double || echo "exit $?"
sql --dialect duckdb --type y=real || echo "exit $?"
ask --sum x:0:1 # steps of 2^-18: halves of them have 19 digits
sql --dialect sqlite --type x=real || echo "exit $?"
sql --dialect postgresql --schema public --type x=real && echo "PostgreSQL reads the texts"
sql --dialect postgresql --type x=real || echo "exit $?"
ask --count --person-id id
sql --dialect postgresql --schema public || echo "exit $?"
dpnoise tally --new-secret secret
for dialect in sqlite spark; do sql --dialect $dialect --secret secret || echo "exit $?"; done
ask --count --by x --levels x=1,2
sql --dialect clickhouse --type x=real || echo "exit $?"
# Names of the query itself, in small letters or not, are no names of groups.
printf '{"statistics": [{"kind": "count"}], "by": [{"column": "Dpn_0", "levels": ["a"]}], "epsilon": "1"}' >q.json
sql --dialect duckdb || echo "exit $?"
# Old versions of ClickHouse (seen with 18.16) take a column for the query's own number of that name, and add that up.
printf '{"statistics": [{"kind": "sum", "column": "dpn_one", "lower": "0", "upper": "100"}], "epsilon": "1"}' >q.json
for dialect in clickhouse duckdb; do sql --dialect $dialect --type dpn_one=integer || echo "exit $?"; done
# SQLite, where a column may hold anything: values of other types are counted, and then the sums are no sums of the table.
ask --sum x:0:100
sql --dialect sqlite --type x=integer
/usr/bin/python3 -c 'import csv, sqlite3, sys
base = sqlite3.connect(":memory:")
base.execute("CREATE TABLE t (id, region, x)")
base.executemany("INSERT INTO t VALUES (1, 2, ?)", [(3,), ("4",), (5.5,)])
cursor = base.execute(open("query").read())
csv.writer(sys.stdout).writerows([[c[0] for c in cursor.description], *cursor])' >sums.csv
dpnoise tally sums.csv --sums --spec q.json -o s.state 2>&1 || echo "exit $?"
