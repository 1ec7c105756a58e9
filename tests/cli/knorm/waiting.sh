# A hull that takes long says for how long, on a terminal, and leaves no trace; elsewhere it says nothing. Its points come late: through a pipe.
terminal-or-skip
cat >slow <<'END'
import os, pty, subprocess, sys
os.mkfifo("points")
terminal, side = pty.openpty()
shown = sys.argv[1] == "terminal"
child = subprocess.Popen(["dpnoise", "knorm", "volume", "hull:points"], stdout=subprocess.PIPE, stderr=side if shown else subprocess.STDOUT)
said = b""
while shown and b"ball" not in said:
    said += os.read(terminal, 65536)
with open("points", "w") as points:
    points.write("1 0\n0 1\n")
print(child.stdout.read().decode(), end="")
child.wait()
os.write(side, b"THE-END")
while b"THE-END" not in said:
    said += os.read(terminal, 65536)
print("said", " s\x1b[K" in said.decode(), "erased", said.endswith(b"\r\x1b[KTHE-END"))
os.unlink("points")
END
/usr/bin/python3 slow terminal
/usr/bin/python3 slow pipe
