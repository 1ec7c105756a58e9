# A service that has hardly any descriptors left: the asker hears one of a few sentences, none of which says what the machine lacks,
# and whatever fails when the curator's log is open stands there. With enough of them there is an answer.
printf 'id,x\n1,1\n2,2\n' >t.csv
echo '{"dataset": "t", "statistics": [{"kind": "count"}], "epsilon": "1"}' >question
dpnoise register t t.csv --number x:0:9 --person-id id --epsilon 9 --log t.log --ledger l.db >/dev/null
cat >attack.py <<'END'
import json, os, resource, subprocess

def ask(most):
    return subprocess.run(["dpnoise", "ask", "--ledger", "l.db", "--analyst", "ada", "--shared"], stdin=open("question"), capture_output=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))

def lines():
    return open("t.log").read().count("\n") if os.path.exists("t.log") else 0

heard, logged = set(), 0
for most in range(3, 25):
    before, result = lines(), ask(most)
    if not result.stdout:  # it did not even start
        continue
    answer = json.loads(result.stdout)
    if "error" not in answer:
        break
    assert result.returncode == 3 and answer["status"] == "DPN_EIO", (result.returncode, answer)
    heard.add(answer["error"])
    assert lines() - before == ("curator knows" in answer["error"]), answer
    logged += lines() - before
print("answered" if "rows" in answer else answer)
print(*sorted(sentence for sentence in heard if "curator" in sentence), sep="\n")
print([sentence for sentence in heard if any(c.isdigit() for c in sentence) or "/" in sentence or "memory" in sentence])
assert logged > 0
END
/usr/bin/python3 attack.py
dpnoise budget show t --json --ledger l.db | near charges=1
