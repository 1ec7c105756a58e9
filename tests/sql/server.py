"""A PostgreSQL server of our own with the extension in it, for as long as a test runs; nobody needs to be root, and nothing is installed.

A server finds its libraries and extensions beside its program, so a copy of the program in a tree of links is a server with one extension
more. It listens on a socket in its own directory alone. DPN_POSTGRES names another server than the installed one, the directory that its bin is in, and
DPN_POSTGRES_MODULE the extension for it: tests/sql/versions.
"""
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

import cases
import pq

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.environ.get("DPN_BUILD_ROOT", os.path.join(SOURCE, "build"))
MODULE = os.environ.get("DPN_POSTGRES_MODULE", os.path.join(BUILD, "sql/postgres/dpnoise-postgres.so"))
OTHER = os.environ.get("DPN_POSTGRES")
TOOL = os.path.join(BUILD, "dpnoise")


def programs():
    """The directory of the server whose headers the extension was built with; None if there is none."""
    if not os.path.exists(MODULE):
        return None
    found = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True).stdout.strip()
    return found if os.path.exists(f"{found}/initdb") else None


def missing():
    """Why there can be no server; None if there can."""
    if not os.path.exists(MODULE):
        return "the extension was not built: PostgreSQL's server headers are not installed"
    if not programs():
        return "PostgreSQL's server is not installed"
    if not pq.NAME:
        return "PostgreSQL's client library is not installed"
    return None


def room_in_memory():
    """Whether a gigabyte can be had in /dev/shm."""
    if not os.access("/dev/shm", os.W_OK):
        return False
    found = os.statvfs("/dev/shm")
    return found.f_bavail * found.f_frsize >= 1 << 30


class Server:
    def __init__(self, settings=()):
        self.place = tempfile.mkdtemp(prefix="dpnoise-pg-", dir="/tmp")
        # Rows and budgets lie in memory where that can be had: what is synchronised is then synchronised at once.
        self.memory = tempfile.mkdtemp(prefix="dpnoise-pg-", dir="/dev/shm") if room_in_memory() else None
        self.process = None
        nobody = pwd.getpwnam("nobody")
        root = os.geteuid() == 0  # who may not run a server
        self.who = dict(user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[]) if root else {}
        if root:
            for place in filter(None, (self.place, self.memory)):
                os.chown(place, nobody.pw_uid, nobody.pw_gid)
        self.clients = self.bin = programs()
        self.room = self.memory or self.place
        self.ledger = f"{self.room}/budgets/ledger.db"
        self.log = f"{self.place}/log"
        if OTHER:
            self._copy()
        else:
            self._tree()
        self._install()
        self.run("mkdir", "-m", "700", f"{self.room}/budgets")
        self.run(f"{self.bin}/initdb", "-D", f"{self.room}/data", "-U", "tester", "-A", "trust", "-N", "-E", "UTF8", "--locale=C")
        self.settings = [f"dpnoise.ledger={self.ledger}", "shared_buffers=16MB", "max_connections=130", "max_prepared_transactions=5",
                         "min_parallel_table_scan_size=0", "parallel_setup_cost=0", "parallel_tuple_cost=0", *settings]
        self.start()

    def _tree(self):
        """The copy of the program among links: prefix/lib/... and prefix/share/... as the original has them."""
        said = dict(zip(("bin", "lib", "share"), subprocess.run(["pg_config", "--bindir", "--pkglibdir", "--sharedir"], capture_output=True,
                                                               text=True).stdout.split()))
        common = os.path.commonpath(said.values())
        tree = {name: f"{self.place}/tree/{os.path.relpath(path, common)}" for name, path in said.items()}
        for name, path in tree.items():
            os.makedirs(path)
            for file in os.listdir(said[name]):
                if name != "bin" and file != "extension":
                    os.symlink(f"{said[name]}/{file}", f"{path}/{file}")
        shutil.copy(f"{said['bin']}/postgres", tree["bin"])
        os.makedirs(f"{tree['share']}/extension")
        for file in os.listdir(f"{said['share']}/extension"):
            os.symlink(f"{said['share']}/extension/{file}", f"{tree['share']}/extension/{file}")
        self.extensions, self.libraries, self.postgres = f"{tree['share']}/extension", tree["lib"], f"{tree['bin']}/postgres"

    def _copy(self):
        """The whole of another server."""
        tree = f"{self.place}/tree"
        shutil.copytree(OTHER, tree, symlinks=True)
        self.bin = f"{tree}/bin"
        self.extensions, self.libraries, self.postgres = f"{tree}/share/postgresql/extension", f"{tree}/lib/postgresql", f"{tree}/bin/postgres"

    def _install(self):
        """The extension, and the tool: the tree of the sources may be closed to who runs the server."""
        shutil.copy(MODULE, f"{self.libraries}/dpnoise.so")
        for file in glob.glob(f"{SOURCE}/sql/postgres/dpnoise*.sql") + [f"{SOURCE}/sql/postgres/dpnoise.control"]:
            shutil.copy(file, self.extensions)
        shutil.copy(TOOL, f"{self.place}/dpnoise")

    def run(self, *command, check=True, **more):
        more = more if "input" in more else {"stdin": subprocess.DEVNULL, **more}
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, **self.who, **more)
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done

    def tool(self, *arguments, check=True):
        """The command dpnoise, as the owner of the server and its ledger."""
        return self.run(f"{self.place}/dpnoise", *arguments, check=check)

    def psql(self, *arguments, **more):
        """psql as the one who may do everything."""
        return self.run(f"{self.clients}/psql", "-q", "-v", "ON_ERROR_STOP=1", "-h", self.place, "-U", "tester", *arguments, **more)

    def dump(self, *arguments):
        """A dump. The case is skipped if the server is newer than the installed pg_dump, which then refuses."""
        done = self.run(f"{self.clients}/pg_dump", "-h", self.place, "-U", "tester", *arguments, check=False)
        if "server version mismatch" in done.stderr:
            raise cases.Skip("pg_dump is older than the server")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, data="data", settings=()):
        options = [word for setting in [*self.settings, *settings] for word in ("-c", setting)]
        with open(self.log, "a") as log:
            self.process = subprocess.Popen([self.postgres, "-D", f"{self.room}/{data}", "-k", self.place, "-h", "", "-F", *options], cwd="/",
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.who)
        self.await_ready()

    def await_ready(self):
        while self.process.poll() is None:
            if self.run(f"{self.clients}/pg_isready", "-q", "-h", self.place, check=False).returncode == 0:
                return
            time.sleep(0.02)
        raise AssertionError("the server did not start: " + open(self.log).read()[-2000:])

    def stop(self, how=signal.SIGINT):
        if self.process:
            self.process.send_signal(how)
            self.process.wait()
        self.process = None

    def session(self, user="tester", database="postgres", more=""):
        return pq.Session(f"host={self.place} user={user} dbname={database} {more}")

    def url(self, database="postgres"):
        return f"postgresql:///{database}?host={self.place}&user=tester"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        for place in filter(None, (self.place, self.memory)):
            shutil.rmtree(place)
