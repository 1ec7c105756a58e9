# The page is for this machine and for whoever has its address; it asks what the tool answers, word for word, and no file.
dpnoise explore --json >address &
server=$!
/usr/bin/python3 - <<'END'
import http.client, json, os, re, select, socket, subprocess, time, urllib.parse

for _ in range(600):
    if os.path.getsize("address") > 10:
        break
    time.sleep(0.05)
address = json.load(open("address"))["address"]
host, port, token = re.fullmatch(r"http://(127\.0\.0\.1):(\d+)/([0-9a-f]{32})/", address).groups()


def ask(path, method="GET", **headers):
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    connection.request(method, path, headers={"Host": f"{host}:{port}", **headers})
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read().decode()


def question(command, *words):
    return ask(f"/{token}/ask?" + urllib.parse.urlencode([("command", command)] + [("word", word) for word in words]))


status, headers, page = ask(f"/{token}/")
assert status == 200 and "<title>dpnoise explore" in page
assert "default-src 'none'" in headers["Content-Security-Policy"] and "unsafe" not in headers["Content-Security-Policy"]
for name, kind in [("page.js", "text/javascript"), ("page.css", "text/css")]:
    status, headers, text = ask(f"/{token}/{name}")
    assert status == 200 and headers["Content-Type"].startswith(kind)
    with open(os.environ["CASES"] + "/../../cli/explore/" + name, encoding="utf-8") as file:
        assert file.read() == text
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)

# The same words, the same answer; a refusal is an answer too.
for words in [("law", "gaussian(sigma=2)", "--at=0,1.5"), ("calibrate", "laplace", "--epsilon=1", "--linf=1", "--dim=3"),
              ("profile", "--law=gaussian(sigma=1)", "--sensitivity=1", "--times=10", "--delta=1e-6"), ("law", "gausian(sigma=2)")]:
    told = subprocess.run(["dpnoise", words[0], "--json", *words[1:]], capture_output=True, text=True).stdout.rstrip("\n")
    status, headers, text = question(*words)
    assert status == 200 and text == told and headers["Content-Type"] == "application/json", (words, text, told)

# Nothing that reads or writes a file, no other command, no other letters.
open("secret", "w").write("gaussian(sigma=2)\n")
for words in [("release", "secret"), ("budget", "show"), ("", ""), ("law", "--plan=secret"), ("law", "gaussian(sigma=2)", "--plot=x.svg"),
              ("profile", "--import=secret"), ("profile", "--export=out"), ("law", "--plan"), ("calibrate", "k-norm", "--vertices=secret"),
              ("law", "a b"), ("law", "--at=1;2"), ("law", "-"), ("law", "--"), ("law", "--help"), ("law", "../secret"), ("law", "é"), ("law", *["x"] * 70)]:
    status, _, text = question(*words)
    assert status == 400 and "secret" not in text, (words, status)
assert sorted(os.listdir(".")) == ["address", "secret"]

# Other names of this machine, other addresses, other methods.
for other in ["evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{int(port) + 1}", f"[::1]:{port}", ""]:
    assert ask(f"/{token}/", Host=other)[0] == 403, other
assert ask(f"/{token}/", Host=f"localhost:{port}")[0] == 200
for path in ["/", "/" + token[:-1], f"/{token[:-1]}{'0' if token[-1] != '0' else '1'}/", "/" + "0" * 32 + "/", "//" + token + "/", "/ask?command=law"]:
    assert ask(path)[0] == 403, path
assert ask(f"/{token}/nothing")[0] == 404
for method in ["POST", "PUT", "DELETE", "OPTIONS"]:
    assert ask(f"/{token}/", method)[0] == 405, method

# Requests that are begun and never ended keep nobody out: the newest guest is served, and it is the oldest of them that goes.
halves = []
for _ in range(200):
    half = socket.create_connection((host, int(port)))
    half.sendall(f"GET /{token}/ HTTP/1.1\r\nHost:".encode())
    halves.append(half)
for _ in range(60):
    if select.select([halves[0]], [], [], 1)[0]:
        break
    for half in halves:
        half.sendall(b" ")  # not idle, and yet not a request
assert select.select([halves[0]], [], [], 0)[0] and halves[0].recv(1) == b""
assert not select.select([halves[-1]], [], [], 0)[0]
assert ask(f"/{token}/")[0] == 200 and question("law", "gaussian(sigma=2)")[0] == 200
for half in halves:
    half.close()

# Whoever goes leaves nothing behind that computes.
connection = http.client.HTTPConnection(host, int(port), timeout=60)
own = f"--epsilon=1.{os.getpid()}"
slow = urllib.parse.urlencode([("command", "compare"), ("word", own), ("word", "--delta=1e-6"), ("word", "--dim=7")])
connection.request("GET", f"/{token}/ask?{slow}", headers={"Host": f"{host}:{port}"})


def running():
    found = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline") as file:
                found += file.read().split("\0")[:4] == ["dpnoise", "compare", "--json", own]
        except OSError:
            pass
    return found


for wanted in (1, 0):
    for _ in range(1200):
        if running() == wanted:
            break
        time.sleep(0.02)
    assert running() == wanted
    connection.close()

# It listens on 127.0.0.1 alone.
listening = [line.split()[1] for file in ("/proc/net/tcp", "/proc/net/tcp6") if os.path.exists(file) for line in open(file) if line.split()[3] == "0A"]
assert [place for place in listening if place.endswith(":%04X" % int(port))] == ["0100007F:%04X" % int(port)]
END
kill -TERM $server
wait $server
echo "ended with $?"
dpnoise explore people.csv || echo "exit code $?"
dpnoise explore --port 70000 || echo "exit code $?"
