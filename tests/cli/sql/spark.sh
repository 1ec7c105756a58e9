# Spark was never run: what its manual says a text and a name are is held here. A backslash means itself or not by a setting (escapedStringLiterals), and ${...} is
# replaced by a variable wherever it stands (variable.substitute), so that texts with such letters are the bytes that python3 reads back, and such names are refused.
cat >q.json <<'END'
{"statistics": [{"kind": "count"}], "na": ["N\\A"], "by": [{"column": "a`b", "levels": ["plain", "it's", "a\\b", "${env:HOME}", "\u00e9$"]}], "epsilon": "1"}
END
dpnoise sql --spec q.json --dialect spark --table t --type 'a`b=text' >query || exit
/usr/bin/python3 - <<'END'
import re
query = open("query", encoding="utf-8").read()
assert "\\" not in query and "$" not in query and "`a``b`" in query, query
texts = [bytes.fromhex(x).decode() if x else y for x, y in re.findall(r"CAST\(X'(\w*)' AS STRING\)|'([^']*)'", query)]
print(sorted(set(texts)))
END
# shellcheck disable=SC2016 # names with such letters
for name in 'x${y}' 'x$y'; do
    printf '{"statistics": [{"kind": "sum", "column": "%s", "lower": "0", "upper": "100"}], "epsilon": "1"}' "$name" >q.json
    for dialect in spark clickhouse; do
        if dpnoise sql --spec q.json --dialect $dialect --table t --type "$name=real" >query; then echo "$dialect writes $name"; fi
    done
done
