"""The public headers of dpnoise as declarations that cffi reads.

The C preprocessor does the work: what is left of the headers, without comments and attributes, is what cffi's parser knows, but
for bodies of inline functions, which are cut off. The C compiler then checks every size and member against the headers themselves.
"""
import re
import subprocess

INCLUDES = "".join(f"#include <dpnoise/{name}.h>\n" for name in ("dpnoise", "geometry", "learn", "place"))


def preprocessed(include, compiler="cc"):
    """The text of our headers alone, without that of the system's."""
    command = [compiler, "-E", "-I", str(include), "-D__attribute__(x)=", "-x", "c", "-"]
    text = subprocess.run(command, input=INCLUDES, capture_output=True, text=True, check=True).stdout
    kept, ours = [], False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            ours = "/dpnoise/" in marker[1]
        elif ours and line.strip():
            kept.append(line)
    return "\n".join(kept)


def without_bodies(text):
    """Inline functions as prototypes."""
    out, at = [], 0
    for start in re.finditer(r"static inline ", text):
        if start.start() < at:
            continue
        brace = text.index("{", start.end())
        depth, end = 1, brace + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        out += [text[at : start.start()], text[start.end() : brace].rstrip(), ";"]
        at = end
    return "".join(out) + text[at:]


def declarations(include, compiler="cc"):
    return without_bodies(preprocessed(include, compiler))
