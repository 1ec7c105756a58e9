# Work that lasts shows a bar on a terminal, which is gone in the end; elsewhere it shows nothing. The tool is stopped for a while
# soon after it has its input, so that any machine is slow enough.
cat >slow <<'END'
import os, pty, signal, subprocess, sys, time
os.mkfifo("parts")
epsilons = ",".join(str(i / 1024) for i in range(1, 1501))
terminal, side = pty.openpty()
child = subprocess.Popen(["dpnoise", "profile", "--import", "parts", "--epsilon", epsilons, "--method", "fft", "--json"],
                         stdout=subprocess.DEVNULL, stderr=side if sys.argv[1] == "terminal" else subprocess.PIPE)
os.close(side)
with open("parts", "w") as parts:
    parts.write("100 1 laplace(scale=10)\n")
time.sleep(0.15)
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
print("bar" if b"profile [" in said and b"s left" in said else "no bar", "erased" if said.endswith(b"\r\033[K") else len(said))
os.unlink("parts")
END
# One answer that lasts shows the seconds.
cat >one <<'END'
import os, pty, signal, subprocess, time
terminal, side = pty.openpty()
child = subprocess.Popen("dpnoise profile --law laplace(scale=1) --sensitivity 1 --pure 0.5 --times 2 --sample-rate 0.01 --steps 5 --epsilon 0.125".split(),
                         stdout=subprocess.DEVNULL, stderr=side)
os.close(side)
time.sleep(0.3)
child.send_signal(signal.SIGSTOP)
time.sleep(2.2)
child.send_signal(signal.SIGCONT)
said = b""
try:
    while b"K" not in said and (chunk := os.read(terminal, 65536)):
        said += chunk
except OSError:
    pass
child.kill()
child.wait()
print("seconds" if b"profile " in said and b" s\033[K" in said else said)
END
terminal-or-skip
/usr/bin/python3 slow terminal
/usr/bin/python3 slow pipe
/usr/bin/python3 one
