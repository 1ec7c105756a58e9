# dear: it is about noise without a closed profile.
# The interval for a delta between two doubles is that of the double below it, whose ends hold up to the next one.
cat >run.py <<'END'
import json, subprocess

def ask(delta):
    law = ["--law", "huber(alpha=1,gamma=1)", "--sensitivity", "1", "--sample-rate", "0.01", "--steps", "100"]
    answer = json.loads(subprocess.check_output(["dpnoise", "profile", *law, "--delta", delta, "--json"]))
    return answer["epsilon_lower"], answer["epsilon"]

double, typed = ask("0.00000095367431640625"), ask("9.5367431640625001e-7")  # 2^-20, and between it and the next double
assert double == typed, (double, typed)
END
/usr/bin/python3 run.py
