# The page of a history: every entry, escaped, what is left, and never in the place of the ledger.
dpnoise budget init 'a<b' --epsilon 2 --ledger l.db >/dev/null
dpnoise budget init other --epsilon 3 --ledger l.db >/dev/null
dpnoise budget charge 'a<b' --epsilon 0.5 --note '<script>x</script>' --ledger l.db >/dev/null
dpnoise budget history --ledger l.db --report all.html >/dev/null
dpnoise budget history 'a<b' --ledger l.db --report one.html --json >history.json
/usr/bin/python3 - <<'END'
import json, re
pages = {name: open(name, encoding="utf-8").read() for name in ("all.html", "one.html")}
rows = {name: re.findall(r'<tr><th scope="row">(\d+)</th>', page) for name, page in pages.items()}
assert rows["all.html"] == ["1", "2", "3", "4"] and rows["one.html"] == [str(e["number"]) for e in json.load(open("history.json"))["entries"]]
assert "<script" not in "".join(pages.values()) and "&lt;script&gt;x" in pages["one.html"] and ">other<" not in pages["one.html"]
widths = [float(w) for w in re.findall(r'class="left" width="([\d.]+)%"', pages["all.html"])]
assert widths == [75.0, 100.0], widths
assert "epsilon 1.5 by pure charges, of epsilon 2." in pages["one.html"]
END
dpnoise budget history --ledger l.db --report l.db >/dev/null || echo "exit code $?"
dpnoise budget show --ledger l.db --report x.html || echo "exit code $?"
dpnoise budget verify --ledger l.db >/dev/null && ls
