# Work that lasts shows a bar on a terminal, which is gone in the end; elsewhere it shows nothing. The tool is stopped for a
# while before it begins, so that any machine is slow enough.
cat >slow <<'END'
import os, pty, signal, subprocess, sys, time
os.mkfifo("vertices")
terminal, side = pty.openpty()
child = subprocess.Popen(["dpnoise", "compare", "--epsilon", "1", "--delta", "1e-6", "--vertices", "vertices", "--json"],
                         stdout=subprocess.DEVNULL, stderr=side if sys.argv[1] == "terminal" else subprocess.PIPE)
os.close(side)
with open("vertices", "w") as vertices:
    vertices.write("1\n")
time.sleep(0.01)
child.send_signal(signal.SIGSTOP)
time.sleep(2.2)
child.send_signal(signal.SIGCONT)
said = b""
try:
    while chunk := os.read(terminal if sys.argv[1] == "terminal" else child.stderr.fileno(), 65536):
        said += chunk
except OSError:
    pass
child.wait()
print("bar" if b"compare [" in said and b"s left" in said else "no bar", "erased" if said.endswith(b"\r\033[K") else len(said))
os.unlink("vertices")
END
/usr/bin/python3 slow terminal
/usr/bin/python3 slow pipe
