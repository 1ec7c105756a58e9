# No line is longer than 80 columns, on a terminal of any width and elsewhere; each family begins one line, with the marks that JSON has.
terminal-or-skip
cat >narrow.py <<'END'
import fcntl, json, os, pty, struct, subprocess, termios


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


def marks(row):
    return [letter for letter, name in zip("PGIB", ("pure", "sub_gaussian", "integer", "bounded")) if row[name]]


for question in "--epsilon 1 --sensitivity 1", "--epsilon 1 --delta 1e-6 --sensitivity 1 --objective interval95", "--epsilon 1 --sensitivities 0.5,1.5":
    words = ["dpnoise", "compare", *question.split()]
    elsewhere = subprocess.run(words, capture_output=True, text=True).stdout
    rows = json.loads(subprocess.run([*words, "--json"], capture_output=True, text=True).stdout)["rows"]
    head, *table = elsewhere.split("\n\n")[1].splitlines()
    column, end = head.index("marks"), head.index("noise")
    lines = [line for line in table if line[2] != " "]
    print(max(map(len, elsewhere.splitlines())) <= 80,
          [(line.split()[0], line[column:end].split()) for line in lines] == [(row["family"], marks(row)) for row in rows],
          all(line[:end].isspace() for line in table if line not in lines),
          on_terminal(words, 80) == elsewhere, on_terminal(words, 200) == elsewhere)
END
/usr/bin/python3 narrow.py
