# dear: it is about the time that noise without a closed profile takes.
# Sampled steps are asked once for a delta that is no double: no more work than for one that is, and an interval that holds those of both doubles.
cat >run.py <<'END'
import json, resource, subprocess

def ask(delta):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    law = ["--law", "huber(alpha=1,gamma=1)", "--sensitivity", "1", "--sample-rate", "0.01", "--steps", "100"]
    answer = json.loads(subprocess.check_output(["dpnoise", "profile", *law, "--delta", delta, "--json"]))
    return answer["epsilon_lower"], answer["epsilon"], resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

double, typed = ask("0.00000095367431640625"), ask("9.5367431640625001e-7")  # 2^-20, and between it and the next double
assert double[:2] == typed[:2], (double, typed)
assert typed[2] < 1.5 * double[2] + 0.01, (double, typed)
END
/usr/bin/python3 run.py
