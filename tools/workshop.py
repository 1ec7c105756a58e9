"""A copy of the tree in which a source file can be changed, built and tried within a second.

The copy stays in its directory and is built anew only where it changed, with the options and relative paths of the tree itself, so
that ccache knows its objects. All rooms are one shared library, which programs load when
they start, so that a change costs one object and one link, however many tests meet it. A second library, made by make_map, notes which
functions run: reach says which tests can notice a change of a function at all, and how long they take.

A test is ROOM-NAME, the program t-ROOM-NAME of tests/unit, or cli/COMMAND/FILE, a case or a file of cases of tests/cli. ROOM-NAME@sanitizers
is the program with the changed file compiled for the address and undefined-behaviour sanitizers of gcc, which also notice what memory is lost.
"""
import atexit
import fcntl
import filecmp
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[1]
LIBRARY = "libtried.so"
ARCHIVES = ("src/libdpnoise-core-objects.a.p/", "src/libdpnoise-full-objects.a.p/")  # what the tool is made of
# Notes each function of the library that runs, in a file that all processes of a test share.
NOTES = """
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
static unsigned char *notes;
__attribute__((constructor)) static void open_notes(void) {
    const char *path = getenv("DPN_NOTES");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *place = file < 0 ? MAP_FAILED : mmap(NULL, %d, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (place != MAP_FAILED) notes = place;
    if (file >= 0) close(file);
}
void __cyg_profile_func_enter(const char *function, void *caller);
void __cyg_profile_func_enter(const char *function, void *caller) {
    unsigned long place = (unsigned long)(function - __ehdr_start);
    (void)caller;
    if (notes && place < %d) notes[place] = 1;
}
void __cyg_profile_func_exit(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller) {
    (void)function, (void)caller;
}
"""
NOTED = 1 << 24
FEW = 4  # files that include a header: of more it is not asked whether the compiler makes the same of them
FLAGS = ["-fvisibility=default", "-fno-semantic-interposition"]
SANITIZED = "@sanitizers"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1"]


def copy_tree(target):
    """What git knows, as it stands in the working tree; files that are the same already stay as they are. Whether any came or
    went."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
                            capture_output=True, check=True)
    names = {name for name in listed.stdout.decode().split("\0") if name and (root / name).is_file()}
    before = {str(path.relative_to(target)) for top in target.glob("*") if top.name != "build"
              for path in [top, *top.glob("**/*")] if path.is_file()}
    for name in before - names:
        (target / name).unlink()
    for name in names:
        if name not in before or not filecmp.cmp(root / name, target / name, shallow=False):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, target / name)
    return before != names


def files_of(test, tree=root):
    """The files that a test is made of, the one that runs first."""
    test = test.removesuffix(SANITIZED)
    if test.startswith("cli/"):
        path = tree / "tests" / test
        return [path] + sorted(path.parent.glob(path.stem + ".[oer]*"))
    room, _, name = test.partition("-")
    return [tree / "tests/unit" / room / f"t-{name}.c"]


def text_of(test, tree=root):
    """What a test says; empty if there is no such test."""
    return "".join(path.read_text(errors="replace") for path in files_of(test, tree) if path.is_file())


def digest(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def run(words, check=False, **options):
    """Whether a command succeeds; with check the program ends if it does not."""
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", **options)
    if check and done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}")
    return done.returncode == 0


def exposed(code):
    """An object file (ELF, 64 bits) whose hidden symbols are not hidden: a test may have functions that stand for those of libraries."""
    code = bytearray(code)
    start, size, count = (struct.unpack_from(kind, code, at)[0] for kind, at in (("<Q", 40), ("<H", 58), ("<H", 60)))
    for section in range(start, start + size * count, size):
        if struct.unpack_from("<I", code, section + 4)[0] == 2:  # a table of symbols
            begin, length = struct.unpack_from("<QQ", code, section + 24)
            for symbol in range(begin, begin + length, 24):
                code[symbol + 5] &= ~3
    return bytes(code)


class Workshop:
    def __init__(self, name="workshop"):
        directory = root / "build" / name
        directory.mkdir(parents=True, exist_ok=True)
        self.lock = open(directory / "lock", "w")  # held until the end: two would meet in the copy
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit(f"workshop: another run is under way in {directory}")
        self.source, self.build = directory / "source", directory / "source/build"  # as in the tree, so that ccache knows the objects
        self.plain, self.noting, self.sanitized = directory / "plain", directory / "noting", directory / "sanitized"
        self.watched = None  # the file that the library in self.sanitized watches, and its text
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="dpn-"))  # with a short name, as sentences quote whole paths
        atexit.register(shutil.rmtree, self.scratch, True)
        for place in (self.plain, self.noting, self.sanitized):
            place.mkdir(exist_ok=True)
        changed = copy_tree(self.source)
        again = ["--reconfigure"] if (self.build / "build.ninja").is_file() else []
        if changed or not again:
            run(["meson", "setup", *again, str(self.build), str(self.source), "-Dtests=enabled", "-Dwerror=true"], check=True)
        entries = json.loads((self.build / "compile_commands.json").read_text())
        self.commands, self.made = {}, {}
        for entry in entries:
            file = os.path.relpath(self.build / entry["file"], self.source)
            if entry["output"].startswith(ARCHIVES) and file.startswith("src/"):
                self.commands[file], self.made[file] = shlex.split(entry["command"]), entry["output"]
        self.linked = {}  # programs that fit the tree as it is now
        self.reach_path = directory / "reach.json"
        self.reached = json.loads(self.reach_path.read_text()) if self.reach_path.is_file() else {}
        self.seconds_path = directory / "seconds.json"
        self.seconds = json.loads(self.seconds_path.read_text()) if self.seconds_path.is_file() else {}
        self.notes_ready = False
        self.build_plain()

    # ---- The library ----

    def object(self, place, file):
        return place / (file.replace("/", "_") + ".o")

    def compile(self, place, file, flags, cached=True):
        """Compile one file into a place; a warning is no obstacle."""
        words, output = [], self.object(place, file)
        given = iter(self.commands[file])
        for word in given:
            if word in ("-o", "-MQ", "-MF"):
                next(given)
            elif word == "ccache" and not cached or word in ("-g", "-Werror", "-MD", "-fvisibility=hidden"):
                continue
            else:
                words.append(word)
        return run([*words, *flags, "-w", "-MMD", "-MF", str(output) + ".d", "-o", str(output)], cwd=self.build)

    def dependencies(self, place, file):
        path = pathlib.Path(str(self.object(place, file)) + ".d")
        if not path.is_file():
            return None
        words = path.read_text().replace("\\\n", " ").split()[1:]
        return [os.path.normpath(os.path.join(self.build, word)) for word in words]

    def outdated(self, place, file):
        needed, output = self.dependencies(place, file), self.object(place, file)
        if needed is None or not output.is_file():
            return True
        made = output.stat().st_mtime
        return any(not os.path.exists(path) or os.path.getmtime(path) > made for path in needed)

    def build_plain(self):
        """The library of the objects that ninja makes."""
        if not run(["ninja", "-j1", "-C", str(self.build), *self.made.values()]):
            sys.exit("workshop: the rooms do not compile without any change")
        stale = False
        for file, made in self.made.items():
            output, made = self.object(self.plain, file), self.build / made
            if not output.is_file() or output.stat().st_mtime != made.stat().st_mtime:
                output.write_bytes(exposed(made.read_bytes()))
                shutil.copystat(made, output)
                stale = True
        self.clean = {}  # files with the object that compile makes of them, which has no debug information
        if stale or not (self.plain / LIBRARY).is_file():
            self.settle()

    def build_library(self, place, flags, extra=()):
        flags = ["-fvisibility=default", *flags]
        stale = [file for file in self.commands if self.outdated(place, file)]
        for file in stale:
            if not self.compile(place, file, flags):
                sys.exit(f"workshop: {file} does not compile without any change")
        if (stale or not (place / LIBRARY).is_file()) and not self.link_library(place, extra):
            sys.exit("workshop: the library does not link without any change")

    def link_library(self, place, extra=(), objects=None):
        """All rooms as one library in a place. The one that notes functions keeps the lines of its files, which name them."""
        objects = objects or [str(self.object(place, file)) for file in sorted(self.commands)]
        linker = f"-fuse-ld={os.environ.get('CC_LD', 'bfd')}"
        strip = [] if place == self.noting else ["-Wl,--strip-debug"]
        return run(["gcc", "-shared", f"-Wl,-soname,{LIBRARY},-Bsymbolic", *strip, linker, "-o", str(place / LIBRARY), *objects, *extra,
                    *self.libraries()])

    def watch(self, file):
        """The library with one source, as it is now, compiled for the sanitizers. Whether there is one."""
        if file not in self.commands:
            return False
        text = (self.source / file).read_text()
        if self.watched != (file, text):
            self.watched = None
            objects = [str(self.object(self.sanitized if other == file else self.plain, other)) for other in sorted(self.commands)]
            if self.compile(self.sanitized, file, [*FLAGS, *SANITIZERS], cached=False) and \
               self.link_library(self.sanitized, SANITIZERS[:1], objects):
                self.watched = (file, text)
        return self.watched is not None

    def sanitizer_libraries(self):
        """What a program that was not compiled for the sanitizers has to load first."""
        if not hasattr(self, "_sanitizers"):
            ask = lambda name: subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
            self._sanitizers = " ".join(map(ask, ("libasan.so", "libubsan.so")))
        return self._sanitizers

    def link_words(self, target):
        shown = subprocess.run(["ninja", "-C", str(self.build), "-t", "commands", target], capture_output=True, text=True, check=True)
        return shlex.split(shown.stdout.strip().splitlines()[-1])

    def libraries(self):
        """The libraries that the rooms need."""
        if not hasattr(self, "_libraries"):
            self._libraries = [word for word in self.link_words("dpnoise")
                               if word.startswith(("-l", "-pthread", "-Wl,-rpath", "/usr/")) and not word.endswith(".a")]
        return self._libraries

    # ---- The programs ----

    def link_program(self, target):
        """Link a program against the library in place of the archives; its own objects are made by ninja."""
        if target in self.linked:
            return self.linked[target]
        words = self.link_words(target)
        needed = [word for word in words if word.endswith((".o", ".a")) and not word.startswith(("/", "src/", "lib"))]
        made = run(["ninja", "-j1", "-C", str(self.build), *needed])
        output = self.plain / pathlib.Path(target).name
        inputs = [self.build / word for word in needed]
        if made and not (output.is_file() and all(path.stat().st_mtime <= output.stat().st_mtime for path in inputs)):
            kept = [word for word in words if not (word.endswith(".a") and not word.startswith(("/", "tests/")))]
            kept[kept.index("-o") + 1] = str(output)
            for at, word in enumerate(kept):
                if word.endswith(".o"):
                    kept[at] = str(self.plain / (word.replace("/", "_")))
                    pathlib.Path(kept[at]).write_bytes(exposed((self.build / word).read_bytes()))
            made = run([*kept, str(self.plain / LIBRARY)], cwd=self.build)
        self.linked[target] = made
        return made

    def prepare(self, test):
        return self.link_program("dpnoise" if test.startswith("cli/") else f"tests/t-{test.removesuffix(SANITIZED)}")

    def words(self, test):
        if test.startswith("cli/"):
            return [str(self.source / "tests/cli/run"), str(self.plain / "dpnoise"), str(self.source / "tests" / test)]
        return [str(self.plain / f"t-{test.removesuffix(SANITIZED)}")]

    def passes(self, test, place=None, processor=600, **more):
        """(whether a test passes, seconds of processor time). A crash counts as failure, and so does a test that takes more than
        `processor` seconds of processor time or many times as long by the clock. How long one takes that passes is remembered."""
        environment = {"DPN_SOURCE_ROOT": str(self.source), "DPN_BUILD_ROOT": str(self.build), "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
                       "LD_LIBRARY_PATH": str(place or self.plain), "TMPDIR": str(self.scratch), "LC_ALL": "C", "USER": "nobody",
                       "HOME": str(self.scratch), "MALLOC_PERTURB_": "165",  # as meson does: what is not set is not 0
                       "CMOCKA_TEST_ABORT": "1", **more}  # the first failure is enough: the rest of a program is not waited for
        if test.endswith(SANITIZED):
            environment |= {"LD_LIBRARY_PATH": str(self.sanitized), "LD_PRELOAD": self.sanitizer_libraries()}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        limit = int(processor) + 1
        process = subprocess.Popen(self.words(test), env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
                                                       resource.setrlimit(resource.RLIMIT_CORE, (0, 0))))
        try:
            code = process.wait(timeout=60 + 20 * processor)
        except subprocess.TimeoutExpired:
            code = -1
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it left running
        except ProcessLookupError:
            pass
        process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        for left in self.scratch.iterdir():
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink()
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if code == 0 and not place and seconds > 1.2 * self.seconds.get(test, 0):
            self.seconds[test] = round(seconds, 2)
            self.seconds_path.write_text(json.dumps(self.seconds))
        return code == 0, seconds

    # ---- Which functions a test reaches ----

    def make_map(self):
        """The library that notes which functions run."""
        source, notes = self.noting / "notes.c", self.noting / "notes.o"
        if not notes.is_file():
            source.write_text(NOTES % (NOTED, NOTED))
            run(["gcc", "-O2", "-fPIC", "-c", str(source), "-o", str(notes)], check=True)
        self.build_library(self.noting, ["-g1", f"-fdebug-prefix-map={self.build}=.", "-fno-inline", "-finstrument-functions"], [str(notes)])
        self.notes_ready, self.names = True, {}

    def functions_at(self, places):
        """The functions FILE:NAME that hold these places of the library."""
        new = [place for place in places if place not in self.names]
        if new:
            found = subprocess.run(["addr2line", "-f", "-e", str(self.noting / LIBRARY)], capture_output=True, text=True, check=True,
                                   input="".join(f"{place:#x}\n" for place in new)).stdout.splitlines()
            for place, name, at in zip(new, found[::2], found[1::2]):
                file = os.path.relpath(os.path.join(self.build, at.rpartition(":")[0]), self.source)
                self.names[place] = f"{file}:{name.partition('.')[0]}"
        return sorted({self.names[place] for place in places})

    def evidence(self, test, functions):
        """A digest of all that decides what a test reaches."""
        files = sorted({name.rpartition(":")[0] for name in functions})
        helpers = sorted((self.source / files_of(test)[0].parent.relative_to(root)).glob("[!t]*.[ch]"))
        return digest(text_of(test), *(path.read_text(errors="replace") for path in helpers),
                      *((root / file).read_text() for file in files if (root / file).is_file()))

    def known(self, test):
        """As reach, but None if it would have to be found out."""
        if test.endswith(SANITIZED):
            known = self.known(test.removesuffix(SANITIZED))
            return known and (known[0], 4 * known[1])
        known = self.reached.get(test)
        if known and known["evidence"] == self.evidence(test, known["functions"]):
            return known["functions"], known["seconds"]
        return None

    def reach(self, test):
        """(the functions that a test reaches, its seconds); None if it fails without any change."""
        if test.endswith(SANITIZED):
            return self.reach(test.removesuffix(SANITIZED)) and self.known(test)
        if self.known(test):
            return self.known(test)
        if not self.notes_ready:
            self.make_map()
        notes = self.noting / "notes"
        notes.write_bytes(bytes(NOTED))
        if not self.prepare(test):
            sys.exit(f"workshop: {test} does not compile without any change")
        passed, seconds = self.passes(test, self.noting, DPN_NOTES=str(notes))
        if not passed:  # perhaps it only took too long with notes
            passed, seconds = self.passes(test)
            if not passed:
                print(f"left out: {test} fails without any change: LD_LIBRARY_PATH={self.plain} {' '.join(self.words(test))}", flush=True)
                return None
        data, places, at = notes.read_bytes(), [], -1
        while (at := data.find(1, at + 1)) >= 0:
            places.append(at)
        functions = self.functions_at(places)
        if any(not name.startswith(("src/", "include/")) for name in functions):  # mutants would survive that nobody was asked about
            sys.exit(f"workshop: {test} seems to reach {next(name for name in functions if not name.startswith('src/'))}")
        self.reached[test] = {"functions": functions, "seconds": seconds, "evidence": self.evidence(test, functions)}
        self.reach_path.write_text(json.dumps(self.reached))
        return functions, seconds

    # ---- One change ----

    def fails(self, test, seconds):
        """Whether a test fails that takes so long without any change: twice, lest a busy machine be taken for a fault. To run out of
        processor time, which is no matter of the machine, is enough once."""
        limit = 2 + 4 * seconds
        for _ in range(2 if self.prepare(test) else 0):
            passed, taken = self.passes(test, processor=limit)
            if passed:
                return False
            if taken > limit:
                break
        return True

    def is_included(self, file):
        """Whether programs may have a file in themselves: a header, one of the tool, or a source that a test includes to reach what is static in it."""
        if not hasattr(self, "_included"):
            texts = [path.read_text(errors="replace") for path in (self.source / "tests/unit").glob("*/*.c")]
            self._included = {room + name for text in texts for name in re.findall(r'#include "([^"]+\.c)"', text) for room in ("src/", "cli/")}
        return file.endswith(".h") or file.startswith("cli/") or file in self._included

    def users_of(self, header):
        """The sources that include a header."""
        if not hasattr(self, "_needs"):
            shown = subprocess.run(["ninja", "-C", str(self.build), "-t", "deps"], capture_output=True, text=True, check=True).stdout
            self._needs = {part.partition(":")[0]: part for part in shown.split("\n\n")}
        return [file for file, made in self.made.items() if f" ../{header}\n" in self._needs.get(made, "") + "\n"]

    def change(self, file, text):
        """Change a file of the copy: 'changed', 'the same' if the compiler makes the same of it, or 'broken'."""
        path = self.source / file
        self.before = (path, path.read_text(), [])
        touched = self.users_of(file) if file.endswith(".h") else [file] if file in self.commands else []  # a file of the tool is in programs that include it
        for other in touched:
            output = self.object(self.plain, other)
            kept = output.with_suffix(".kept")
            shutil.copy2(output, kept)
            self.before[2].append((output, kept))
            if other not in self.clean and len(touched) <= FEW:
                self.compile(self.plain, other, FLAGS)
                self.clean[other] = output.read_bytes()
        path.write_text(text)
        same = True
        for other in touched:
            if not self.compile(self.plain, other, FLAGS, cached=False):
                return "broken"
            same = same and self.object(self.plain, other).read_bytes() == self.clean.get(other)
        if same and touched:
            return "the same"
        if self.is_included(file):
            self.linked = {}  # programs may have it too
        return "changed" if self.link_library(self.plain) else "broken"

    def restore(self):
        """Take the change back; the library is linked anew by the next one."""
        path, text, objects = self.before
        path.write_text(text)
        for output, kept in objects:
            os.replace(kept, output)
        if self.is_included(str(path.relative_to(self.source))):
            self.linked = {}

    def settle(self):
        """The library as it is without any change."""
        if not self.link_library(self.plain):
            sys.exit("workshop: the library does not link without any change")
