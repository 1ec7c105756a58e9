# The page has every row of the JSON, in its order, and loads nothing.
ask() { dpnoise compare --epsilon 1 --delta 1e-6 --l1 1 --dim 2 "$@"; }
ask --report page.html --json >answer.json
/usr/bin/python3 - <<'END'
import html, json, re
answer, page = json.load(open("answer.json")), open("page.html", encoding="utf-8").read()
rows = re.findall(r'<tr><th scope="row">([^<]*)</th><td class="n">([^<]*)</td><td class="n">([^<]*)</td>', page)
assert [row[0] for row in rows] == [row["family"] for row in answer["rows"]] and len(rows) > 5
for (family, error, delta), row in zip(rows, answer["rows"]):
    assert abs(float(error.replace(",", "")) - row["mse"] / 2) <= 1e-4 * row["mse"], (family, error)
    assert row["delta"] <= float(delta) <= 1.01 * row["delta"] + 1e-300, (family, delta)
for refused in answer["refused"]:
    assert html.escape(refused["reason"]) in page.replace("&#39;", "&#x27;"), refused
dots = [float(x) for x in re.findall(r'<circle class="dot" cx="([\d.]*)%"', page)]
assert len(dots) == len(rows)
for dot, row in zip(dots, answer["rows"]):
    assert abs(dot - dots[-1] * row["mse"] / answer["rows"][-1]["mse"]) < 0.02
assert not re.search(r"https?://|<script|url\(", page)
END
ask --report nowhere/page.html || echo "exit code $?"
ls
