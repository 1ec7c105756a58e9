# Headings are bold on a terminal, and only there; NO_COLOR and TERM=dumb keep them plain. Without bold letters it is the same text.
terminal-or-skip
cat >look.py <<'END'
import os, pty, re, subprocess


def on_terminal(words, **settings):
    terminal, side = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")} | settings
    # A terminal whose last writer has gone may forget what it was about to hand over: this side stays open until all is read.
    child = subprocess.Popen(["sh", "-c", '"$@"; echo THE-END', "sh", "dpnoise", *words], stdout=side, stderr=subprocess.DEVNULL,
                             env=environment)
    said = b""
    while b"THE-END" not in said:
        said += os.read(terminal, 65536)
    child.wait()
    os.close(side)
    os.close(terminal)
    return said.replace(b"\r\n", b"\n").decode().partition("THE-END")[0]


for words in ["help"], ["help", "law"], ["profile", "gaussian(sigma=5)", "--sensitivity", "1", "--delta", "1e-6"], ["convert", "pure(epsilon=1)", "--to", "zcdp"]:
    elsewhere = subprocess.run(["dpnoise", *words], capture_output=True, text=True, env=os.environ | {"TERM": "xterm"}).stdout
    said = on_terminal(words, TERM="xterm")
    print(re.findall("\033\\[1m *(.*?)\033\\[0m", said))
    print(re.sub("\033\\[[01]m", "", said) == elsewhere,
          *(on_terminal(words, **settings) == elsewhere for settings in ({}, {"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"})),
          on_terminal(words, TERM="xterm", NO_COLOR="") == said, "\033" in elsewhere)
END
/usr/bin/python3 look.py
