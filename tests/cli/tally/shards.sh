# However rows are dealt out to parts, the merged state has the bytes of one process: with persons and without, with levels and
# without. Parts may be empty, and states are merged in any order, also by steps.
/usr/bin/python3 - <<'PY'
import itertools, os, random, subprocess

draw = random.Random(20)
long = "DPN_LONG" in os.environ


def dpnoise(*words):
    return subprocess.run(["dpnoise", *map(str, words)], check=True, capture_output=True, text=True).stdout


dpnoise("tally", "--new-secret", "secret")
head = "id,region,age,income\n"
rows = [f"{draw.randrange(30)},{draw.choice(['north', 'south', 'east', ''])},{draw.choice([draw.randrange(120), 'x', ''])},"
        f"{draw.choice([draw.randrange(99999), draw.random() * 1e5, 1e9, -3])}\n" for _ in range(300)]
open("all.csv", "w").write(head + "".join(rows))
persons = ["--person-id", "id", "--max-rows", "2", "--max-groups", "2"]
levels = ["--levels", "region=north,south"]
tried = 0
for number, (person, level) in enumerate(itertools.product([[], persons], [levels, []])):
    dpnoise("release", "all.csv", "--count", "--mean", "income:0:50000", "--histogram", "age:0,18,65,120", "--by", "region", *level, *person,
            "--where", "age>=5", "--epsilon", 1, "--dry-run", "--save-spec", "spec.json")
    secret = ["--secret", "secret"] if person else []
    dpnoise("tally", "all.csv", "--spec", "spec.json", *secret, "-o", "one.state")
    one = open("one.state", "rb").read()
    for _ in range(250 if long else 3):
        parts = draw.randrange(1, 5)
        order = draw.sample(rows, len(rows))
        part = [[] for _ in range(parts)]
        for row in order:
            draw.choice(part).append(row)
        names = []
        for i, some in enumerate(part):
            open("part.csv", "w").write(head + "".join(some))
            dpnoise("tally", "part.csv", "--spec", "spec.json", *secret, "-o", f"{i}.state")
            names.append(f"{i}.state")
        draw.shuffle(names)
        if len(names) > 2:  # two of them first
            dpnoise("merge", *names[:2], *secret, "-o", "two.state")
            names = ["two.state", *names[2:]]
        dpnoise("merge", *names, *secret, "-o", "merged.state")
        assert open("merged.state", "rb").read() == one, (number, names)
        tried += 1
    assert oct(os.stat("merged.state").st_mode)[-3:] == "600" and oct(os.stat("secret").st_mode)[-3:] == "600"
print("the same bytes from every sharding" if tried >= 12 else tried)
PY
