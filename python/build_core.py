"""The C part of the package, made by cffi from the public headers and the static library of a build of dpnoise.

DPNOISE_BUILD says where libdpnoise.a is; without it, ../build beside this directory (./dev build makes it).
"""
import os
import pathlib
import subprocess

import cffi

import headers

HERE = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(os.environ.get("DPNOISE_ROOT", HERE.parent))
BUILD = pathlib.Path(os.environ.get("DPNOISE_BUILD", ROOT / "build"))

# The Arrow C data interface, as its specification has it.
ARROW = """
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
"""

# Which copy of SQLite the library has: where one of its functions is.
SQLITE = """
extern const char *sqlite3_libversion(void);
static uintptr_t dpn_python_sqlite(void) { return (uintptr_t)sqlite3_libversion; }
"""

OURS = """
void free(void *memory);
uintptr_t dpn_python_sqlite(void);
extern "Python" void dpn_python_progress(void *context, double done);
extern "Python" bool dpn_python_cancelled(void *context);
extern "Python" bool dpn_python_same(void *context, const dpn_place *other);
"""


def what_it_needs():
    """The libraries beyond libdpnoise.a, as its pkg-config file has them."""
    environment = dict(os.environ, PKG_CONFIG_PATH=str(BUILD / "meson-private"))
    command = ["pkg-config", "--static", "--libs-only-l", "dpnoise"]
    words = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.split()
    return [word[2:] for word in words if word not in ("-ldpnoise", "-ldpnoise-core")]


builder = cffi.FFI()
builder.cdef(headers.declarations(ROOT / "include") + ARROW + OURS)
builder.set_source(
    "dpnoise._core",
    "#include <stdint.h>\n#include <stdlib.h>\n" + headers.INCLUDES + ARROW + SQLITE,
    include_dirs=[str(ROOT / "include")],
    extra_objects=[str(BUILD / "libdpnoise.a")],
    libraries=what_it_needs(),
    # What is in the archive is for this module alone.
    extra_link_args=["-Wl,--exclude-libs,ALL", "-Wl,--as-needed", "-Wl,--strip-debug"],
    py_limited_api=True,
)

if __name__ == "__main__":
    builder.compile(verbose=True)
