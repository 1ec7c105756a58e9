# 900 rows of 30 persons become a count of 90: every format says how persons were cut, what was clamped and what was selected.
{
    echo id,region,income
    for i in $(seq 900); do echo "$((i % 30)),north,$((i * 100))"; done
} >people.csv
ask() {
    dpnoise release people.csv --count --mean income:0:50000 --by region --person-id id --max-rows 3 --nonnegative \
        --epsilon 8 --delta 1e-6 --ledger l.db "$@"
}
ask --report page.html >text 2>/dev/null
ask --csv >table 2>told
ask --csv --csv-notes >commented 2>quiet
ask --json >json 2>/dev/null
unwrapped <text | sed -n '/^  \(rows\|clamped\|keys\|processed\)/p' | tee lines
for file in told commented; do
    sed 's/^#/ /' $file | unwrapped | grep -Fc -f lines
done
grep -c '^#' table commented || true
grep -vc '^#' commented
wc -c <quiet
ask --csv-notes 2>&1 || echo "exit code $?"
/usr/bin/python3 - <<'END'
import html, json
texts = [line["text"] for line in json.load(open("json"))["treatment"]]
page = html.unescape(open("page.html", encoding="utf-8").read())
for line in open("lines"):
    text = line[13:].rstrip("\n")
    print(text in texts, text in page)
END
rm people.csv page.html text table told commented quiet json lines l.db*
