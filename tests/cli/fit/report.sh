# The page and the picture: whole, of the stored model too, escaped, and never in the place of the data.
awk 'BEGIN { print "a<b,it'"'"'s y,region"; for (i = 0; i < 900; i++) { x = i % 30; print x "," 5 + 2 * x + (i % 2) "," (i % 2 ? "s" : "n") } }' >people.csv
fit() { dpnoise fit linear people.csv --target "it's y:0:80" --features 'a<b:0:30,region' --levels region=n,s --method moments --epsilon 1e6 --yes-epsilon "$@"; }
fit --report page.html --plot picture.svg | sed -n 's/^  a<b  *\([0-9.]*\) .*/\1/p' | awk '{ printf "%.2f\n", $1 }'
/usr/bin/python3 - <<'END'
import html, re, xml.dom.minidom
page = open("page.html").read()
xml.dom.minidom.parse("picture.svg")
xml.dom.minidom.parseString(re.sub(r"&[a-z]+;", " ", page.replace("<!DOCTYPE html>", "").replace("&lt;", " ")).replace('<meta charset="utf-8">', "").replace('initial-scale=1">', 'initial-scale=1"/>').replace("'unsafe-inline'\">", "'unsafe-inline'\"/>"))
for what in ["A private linear fit of it&#39;s y", '<th scope="row">a&lt;b</th>', '<th scope="row">region=s</th>', "<dt>target</dt>", "<dt>feature</dt>", "<dt>levels of region</dt>", "adding or removing one row", "k-norm", "dpnoise budget verify"]:
    print(what in page)
print("http:" in page or "https:" in page or "<script" in page)
END
# Numbers have the digits that their interval tells, and ends are rounded outwards.
dpnoise fit linear people.csv --target "it's y:0:80" --features 'a<b:0:30,region' --levels region=n,s --method moments --epsilon 1 --ledger other.db --report rounded.html --json >rounded.json
/usr/bin/python3 - <<'END'
import json, math, re
rows = re.findall(r'<th scope="row">[^<]*</th><td class="n">([^<]*)</td><td class="n">([^<]*)</td><td class="n">([^<]*)</td>', open("rounded.html").read())
right = 0
for told, one in zip(rows, json.load(open("rounded.json"))["coefficients"]):
    value, low, high = (float(number.replace(",", "")) for number in told)
    unit = 10.0 ** math.floor(math.log10((one["high"] - one["low"]) / 2) - 1)
    unit = min(unit, 1)
    right += abs(value - one["value"]) <= 0.5001 * unit and 0 <= one["low"] - low <= 1.0001 * unit and 0 <= high - one["high"] <= 1.0001 * unit
    right += all(len(number.partition(".")[2]) == max(0, round(-math.log10(unit))) for number in told)
print(len(rows), right)
END
rm rounded.html rounded.json other.db*
# Free again from the ledger, and the data need not be there.
mv people.csv gone.csv
fit --report again.html --json | near stored=true
mv gone.csv people.csv
grep -c 'free of charge' again.html
fit --report people.csv || echo "exit code $?"
fit --plot dpnoise-ledger.db || echo "exit code $?"
fit --plot picture.jpg || echo "exit code $?"
dpnoise fit linear people.csv --target "it's y:0:80" --features 'a<b:0:30' --method non-private --report no.html || echo "exit code $?"
dpnoise fit linear people.csv --target "it's y:0:80" --features 'a<b:0:30' --method non-private --plot plain.svg | sed -n '/guarantee/p'
ls
