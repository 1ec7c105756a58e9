# Attack: a numeric statistic of a column of text failed if and only if the predicate selected a row, which told an income exactly, for
# almost nothing. Whether it does must not show: not in the exit code, not in the words, on neither stream.
{
    echo 'id,name,region,income,diagnosis'
    for i in $(seq 4700 4720); do echo "$i,name$i,north,$((i * 3)),flu"; done
} >census.csv
words() {
    rm -f dpnoise-ledger.db*
    dpnoise release census.csv "$@" --epsilon 1e-9 --json >out 2>err
    echo "exit code $?" >>err
    python3 - out err <<'PYTHON'
import json, re, sys
answer = json.load(open(sys.argv[1]))
def shape(value, key=""):
    if isinstance(value, dict):
        return {k: shape(v, k) for k, v in value.items() if k not in ("where", "head")}
    if isinstance(value, list):
        return [shape(v, key) for v in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number"
    return re.sub(r"flu|cold|[0-9a-f]{16,}|[-+0-9.:TZ]{4,}", "N", value) if isinstance(value, str) else value
print(json.dumps(shape(answer), sort_keys=True))
print(open(sys.argv[2]).read(), end="")
PYTHON
}
same() {
    if cmp -s "$1" "$2"; then echo "the same: $(tail -n 1 "$1")"; else diff "$1" "$2"; fi
}
words --sum region:0:1 --where id=4711 --where 'income<14000' >none
words --sum region:0:1 --where id=4711 --where 'income<15000' >one
same none one
words --sum diagnosis:0:1 --where name=name4711 --where 'diagnosis!=flu' >none
words --sum diagnosis:0:1 --where name=name4711 --where 'diagnosis!=cold' >one
same none one
# A row without a person, a person whose rows cannot be used, keys that are no text.
words --count --person-id name --where id=4711 >none
sed -i 's/^4711,name4711/4711,/' census.csv
words --count --person-id name --where id=4711 >one
same none one
words --mean income:0:1 --by name --delta 1e-9 --where id=4712 >none
printf '4712,\377,north,\377,flu\n' >>census.csv
words --mean income:0:1 --by name --delta 1e-9 --where id=4712 >one
same none one
# Lines that are no rows.
words --count >none
printf '4713,a"b,north,1,flu\n4714,"open,north,1,flu\nragged\n' >>census.csv
head -c 2000000 /dev/zero | tr '\0' 7 >>census.csv
words --count >one
same none one
