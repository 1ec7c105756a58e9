# Work that lasts shows a bar on a terminal, which is gone in the end; elsewhere it shows nothing. The tool is stopped for a
# while, so that any machine is slow enough; when its work begins is not known, so that several moments are tried.
# dear: profile/progress shows a bar too
cat >slow <<'END'
import os, pty, signal, subprocess, sys, time


def run(where, delay):
    os.mkfifo("vertices")
    terminal, side = pty.openpty()
    child = subprocess.Popen(["dpnoise", "compare", "--mse", "20", "--delta", "1e-6", "--vertices", "vertices", "--json"],
                             stdout=subprocess.DEVNULL, stderr=side if where == "terminal" else subprocess.PIPE)
    os.close(side)
    with open("vertices", "w") as vertices:
        vertices.write("1\n")
    time.sleep(delay)
    child.send_signal(signal.SIGSTOP)
    time.sleep(2.2)
    child.send_signal(signal.SIGCONT)
    said = b""
    try:
        while chunk := os.read(terminal if where == "terminal" else child.stderr.fileno(), 65536):
            said += chunk
    except OSError:
        pass
    child.wait()
    os.close(terminal)
    os.unlink("vertices")
    bar = b"compare [" in said and b"s left" in said
    return ("bar" if bar else "no bar") + (" erased" if said.endswith(b"\r\033[K") else f" {len(said)}")


for delay in 0.05, 0.1, 0.2, 0.02, 0.4, 0.8, 0.01:
    said = run("terminal", delay)
    if said.startswith("bar"):
        break
print(said)
print(run("pipe", 0.05))
END
terminal-or-skip
/usr/bin/python3 slow
