# The page and the picture: whole, of the stored model too, escaped, and never in the place of the data.
awk 'BEGIN { print "a<b,it'"'"'s y,region"; for (i = 0; i < 900; i++) { x = i % 30; print x "," 5 + 2 * x + (i % 2) "," (i % 2 ? "s" : "n") } }' >people.csv
fit() { dpnoise fit linear people.csv --target "it's y:0:80" --features 'a<b:0:30,region' --levels region=n,s --method moments --epsilon 1e6 --yes-epsilon "$@"; }
fit --report page.html --plot picture.svg | sed -n 's/^  a<b  *\([0-9.]*\) .*/\1/p' | awk '{ printf "%.2f\n", $1 }'
/usr/bin/python3 - <<'END'
import html, re, xml.dom.minidom
page = open("page.html").read()
xml.dom.minidom.parse("picture.svg")
xml.dom.minidom.parseString(re.sub(r"&[a-z]+;", " ", page.replace("<!DOCTYPE html>", "").replace("&lt;", " ")).replace('<meta charset="utf-8">', "").replace('initial-scale=1">', 'initial-scale=1"/>').replace("'unsafe-inline'\">", "'unsafe-inline'\"/>"))
for what in ["A private linear fit of it&#39;s y", "<td>a&lt;b</td>", "<td>region=s</td>", "<dt>target</dt>", "<dt>feature</dt>", "<dt>levels of region</dt>", "adding or removing one row", "k-norm", "dpnoise budget verify"]:
    print(what in page)
print("http:" in page or "https:" in page or "<script" in page)
END
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
