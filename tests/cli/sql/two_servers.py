"""Two servers of ClickHouse on loopback, in directories of their own, for as long as this process runs: each has a part of the rows, and one of them adds up
both by remote(). They are those of PATH, and run as nobody where root runs them."""
import atexit
import os
import pwd
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from engines import ClickHouse

CONFIG = """<yandex>
<logger><level>error</level><console>1</console></logger>
<listen_host>127.0.0.1</listen_host><http_port>{http}</http_port><tcp_port>{tcp}</tcp_port>
<path>{place}/data/</path><tmp_path>{place}/tmp/</tmp_path><mark_cache_size>5368709120</mark_cache_size>
<users_config>{place}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
</yandex>"""
USERS = """<yandex><profiles><default/></profiles><quotas><default/></quotas>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>"""


def free_ports(number):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Server:
    def __init__(self):
        self.place = tempfile.mkdtemp(prefix="dpnoise-clickhouse-", dir="/tmp")
        self.process = None
        atexit.register(self.stop)
        nobody = pwd.getpwnam("nobody")
        self.who = dict(user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[]) if os.geteuid() == 0 else {}
        if self.who:
            os.chown(self.place, nobody.pw_uid, nobody.pw_gid)
        while not self.start():  # another may have taken a port meanwhile
            pass

    def start(self):
        self.http, self.tcp = free_ports(2)
        for name, text in [("config.xml", CONFIG.format(place=self.place, http=self.http, tcp=self.tcp)), ("users.xml", USERS)]:
            with open(f"{self.place}/{name}", "w") as out:
                out.write(text)
        log = open(f"{self.place}/log", "w")
        self.process = subprocess.Popen([shutil.which("clickhouse-server", path=os.environ["PATH"] + ":/usr/sbin"), f"--config-file={self.place}/config.xml"],
                                        cwd=self.place, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.who)
        while self.process.poll() is None:
            try:
                return self.ask("SELECT 1") == "1\n"
            except OSError:
                time.sleep(0.1)
        with open(f"{self.place}/log") as said:
            text = said.read()
        if "in use" not in text:
            raise SystemExit(text)
        return False

    def ask(self, sql, form="TabSeparated", data=b""):
        """A statement in the address, if it has data, which follow; else by itself: an address cannot be long."""
        words = urllib.parse.urlencode({"default_format": form, **({"query": sql} if data else {})})
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http}/?{words}", data or sql.encode()) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{sql}\n{error.read().decode()}") from None

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None
        shutil.rmtree(self.place, ignore_errors=True)


FORMS = {"Int8": "<b", "Int32": "<i", "Int64": "<q", "UInt32": "<I", "Float32": "<f", "Float64": "<d"}


def binary(x, sql_type):
    """A value in the format RowBinary: as a literal this version would not read each number as itself."""
    plain = sql_type.replace("Nullable(", "").rstrip(")")
    null = bytes([x is None]) if plain != sql_type else b""
    if x is None:
        return null
    if plain != "String":
        return null + struct.pack(FORMS[plain], x)
    text, length = x.encode(), len(x.encode())
    while length > 127:
        null, length = null + bytes([length & 127 | 128]), length >> 7
    return null + bytes([length]) + text


class ClickHouseServers(ClickHouse):
    """Rows are dealt out to both. Without persons, for whom the version of Debian 12 has no window functions."""

    persons = False
    without = ("infinity",)  # which that version sends to the other server as a number, and fails
    types = {**ClickHouse.types, "text": [("Nullable(String)", None), ("String", None)]}

    def __init__(self):
        self.servers = [Server(), Server()]
        self.table = ["--from", "remote('" + ",".join(f"127.0.0.1:{server.tcp}" for server in self.servers) + "', default.t)"]

    def ask(self, sql):
        return self.servers[0].ask(sql, "CSVWithNames")

    def fill(self, server, name, columns, types, rows):
        server.ask(f"DROP TABLE IF EXISTS {name}")
        server.ask(f"CREATE TABLE {name} ({columns}) ENGINE = Memory")
        if rows:
            server.ask(f"INSERT INTO {name} FORMAT RowBinary", data=b"".join(binary(x, of) for row in rows for x, of in zip(row, types)))

    def single_texts(self, numbers):
        self.fill(self.servers[0], "singles", "x Float32", ["Float32"], [(x,) for x in numbers])
        return self.servers[0].ask("SELECT toString(x) FROM singles ORDER BY x").split()  # which come in that order

    def make(self, table):
        for number, server in enumerate(self.servers):
            self.fill(server, "t", self.columns(table), [c.type for c in table.columns], table.rows[number::2])
        self.write_rows(table)

    def close(self):
        for server in self.servers:
            server.stop()
