# The libraries are those that the code loads, by the same names; what is found is what the linker finds.
dpnoise doctor --json >found.json
grep -rhoE '"lib[a-z0-9]+\.so[.0-9]*"' "$CASES"/../../src "$CASES"/../../cli/explore | tr -d '"' | sort -u >loaded
cat >check.py <<'END'
import ctypes, json, shutil
found = json.load(open("found.json"))
libraries = {l["file"]: l for l in found["libraries"] if "file" in l}
print(sorted(set(open("loaded").read().split()) - set(libraries)), "not asked for")
for file, library in libraries.items():
    try:
        ctypes.CDLL(file)
        there = True
    except OSError:
        there = False
    if there != library["found"]:
        print(file, there)
    if there and not library["version"][:1].isdigit():
        print(file, "has no version")
gnuplot = next(l for l in found["libraries"] if l["name"] == "gnuplot")
if gnuplot["found"] != bool(shutil.which("gnuplot")):
    print("gnuplot is", gnuplot)
sqlite = ctypes.CDLL("libsqlite3.so.0")
sqlite.sqlite3_libversion.restype = ctypes.c_char_p
if libraries["libsqlite3.so.0"]["version"] != sqlite.sqlite3_libversion().decode():
    print("SQLite is", sqlite.sqlite3_libversion())
for engine, file in (("postgresql", "libpq.so.5"), ("parquet", "libduckdb.so"), ("sqlite", "libsqlite3.so.0")):
    if (engine in found["tables"]) != libraries[file]["found"]:
        print(engine)
END
python3 check.py
# A program that cannot be found is missing, with what to do; the exit code stays, because not every release needs it.
mkdir bin
ln -s "$(command -v dpnoise)" bin/dpnoise
PATH=$PWD/bin dpnoise doctor >words
sed -n '/gnuplot/,/^$/p' words
awk 'length > 80' words
