# No line of any help is longer than 80 columns, and none is lost: the words of options and examples are those of the source.
dpnoise help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
test "$(wc -l <commands)" -ge 20
{
    dpnoise 2>&1 || true
    dpnoise help
    while read -r command; do dpnoise help "$command"; done <commands
} >all
awk 'length > 80' all
grep -n ' $' all || true
# A long command goes on after a backslash, and stays what it was.
dpnoise help convert | sed -n '/^example/,$s/^  //p' >wrapped
grep -q '\\$' wrapped
sed -e ':a' -e '/\\$/{N;s/ \\\n */ /;ba' -e '}' wrapped | grep "'renyi(order=2,divergence=0.1)' 'renyi(order=8,divergence=0.4)' --epsilon 1"
# Texts of the source, whose line ends count as blanks, are all there.
cat >check.py <<'END'
import os, pathlib, re, subprocess
def words(text):
    return " ".join(text.replace("\\\n", " ").split())
LITERALS = r'((?:\s*"(?:[^"\\]|\\.)*")+)'
def literal(found):
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found))
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)
seen = 0
for command in open("commands").read().split():
    source = pathlib.Path(os.environ["CASES"], "../../cli", command, command + ".c").read_text()
    shown = words(subprocess.run(["dpnoise", "help", command], capture_output=True, text=True).stdout)
    for part in "synopsis", "description", "example":
        text = re.search(r"\." + part + r"\s*=" + LITERALS, source)
        if text:
            seen += 1
            if words(literal(text.group(1))) not in shown:
                print(command, part, "is not what it was")
print(seen >= 60)
END
python3 check.py
