# No line is longer than 80 columns, on a terminal and elsewhere; on a wide terminal the table has a line for each family, and the same words.
terminal-or-skip
cat >narrow.py <<'END'
import fcntl, os, pty, struct, subprocess, termios


def on_terminal(words, columns):
    terminal, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    # A terminal whose last writer has gone may forget what it was about to hand over: this side stays open until all is read.
    child = subprocess.Popen(["sh", "-c", '"$@"; echo THE-END', "sh", *words], stdout=side, stderr=subprocess.DEVNULL,
                             env=os.environ | {"NO_COLOR": "1"})
    said = b""
    while b"THE-END" not in said:
        said += os.read(terminal, 65536)
    child.wait()
    os.close(side)
    os.close(terminal)
    return said.replace(b"\r\n", b"\n").decode().partition("THE-END")[0]


for question in "--epsilon 1 --sensitivity 1", "--epsilon 1 --delta 1e-6 --sensitivity 1 --objective interval95", "--epsilon 1 --sensitivities 0.5,1.5":
    words = ["dpnoise", "compare", *question.split()]
    elsewhere = subprocess.run(words, capture_output=True, text=True).stdout
    wide = on_terminal(words, 200)
    print(max(map(len, wide.splitlines())) > 80, max(map(len, elsewhere.splitlines())) <= 80,
          sorted(wide.replace(";", "").split()) == sorted(elsewhere.replace(";", "").split()),
          on_terminal(words, 80) == elsewhere)
END
/usr/bin/python3 narrow.py
