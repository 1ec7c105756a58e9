# How many rows there are is private: the sign that reading goes on tells no number, and is there on a terminal only.
terminal-or-skip
cat >slow <<'END'
import os, pty, subprocess, time


def run(where):
    terminal, side = pty.openpty()
    child = subprocess.Popen(["dpnoise", "release", "-", "--dataset", "people", "--count", "--epsilon", "1", "--fresh",
                              "--ledger", where + ".db"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                             stderr=side if where == "terminal" else subprocess.PIPE)
    os.close(side)
    child.stdin.write(b"x\n" + b"1\n" * 400000)
    child.stdin.flush()
    time.sleep(2.3)
    for _ in range(3):
        child.stdin.write(b"1\n" * 400000)
        child.stdin.flush()
        time.sleep(0.2)
    child.stdin.close()
    said = b""
    try:
        while chunk := os.read(terminal if where == "terminal" else child.stderr.fileno(), 65536):
            said += chunk
    except OSError:
        pass
    os.close(terminal)
    return child.wait(), said


code, said = run("terminal")
print(code, b"release " in said, "a number" if any(c in b"0123456789" for c in said) else "no number")
print(*run("pipe"))
END
/usr/bin/python3 slow
rm slow terminal.db* pipe.db*
