# A first release by a hard link waits for the ledger. Meanwhile the data get a budget by their own name, and the link is removed, or
# led to another file: what is open are still the same rows, and they have one budget.
cat >attack.py <<'END'
import os, signal, sqlite3, subprocess, sys, time

def command(data, name):
    return ["dpnoise", "release", data, "--dataset", name, "--new-budget", "--count", "--epsilon", "1", "--ledger", "l.db", "--wait", "300000"]

def opened(process):
    """Which files it has open."""
    names = []
    for number in os.listdir(f"/proc/{process.pid}/fd"):
        try:
            names.append(os.path.basename(os.readlink(f"/proc/{process.pid}/fd/{number}")))
        except OSError:
            pass
    return names

subprocess.run(["dpnoise", "budget", "init", "other", "--epsilon", "1", "--ledger", "l.db", "--wal"], check=True, stdout=subprocess.DEVNULL)
os.link("v.csv", "hard.csv")
lock = sqlite3.connect("l.db", isolation_level=None)
lock.execute("BEGIN IMMEDIATE")
waiting = subprocess.Popen(command("hard.csv", "two"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
while not {"hard.csv", "l.db"} <= set(opened(waiting)):  # from there on it has looked at its data, and needs the lock
    time.sleep(0.01)
waiting.send_signal(signal.SIGSTOP)
lock.execute("ROLLBACK")
subprocess.run(command("v.csv", "one"), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.remove("hard.csv")
if sys.argv[1] == "swapped":
    os.link("w.csv", "hard.csv")
waiting.send_signal(signal.SIGCONT)
print(waiting.communicate()[1].split(":")[1])  # what to type depends on how far it had come
print("exit code", waiting.returncode)
END
if [ ! -d "/proc/$$/fd" ]; then
    echo "skip: /proc does not say which files a process has open" >&2
    exit 77
fi
for way in removed swapped; do
    rm -f l.db* hard.csv
    printf 'id\n1\n2\n' >v.csv
    printf 'id\n1\n' >w.csv
    /usr/bin/python3 attack.py $way
    dpnoise budget history --ledger l.db | awk '$3 == "charge" { print $4 }'
done

echo "standard input whose link is gone before anybody looks"
ln -f v.csv hard.csv
exec 5<hard.csv
rm hard.csv
dpnoise release - --dataset two --new-budget --count --epsilon 1 --ledger l.db <&5 || echo "exit code $?"
dpnoise register two - --epsilon 1 --ledger l.db <&5 || echo "exit code $?"
dpnoise budget history --ledger l.db | awk '$3 == "charge" { print $4 }'
