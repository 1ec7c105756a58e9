"""The C reference of the site, out of the public headers: each comment with the declarations that it stands above."""
import html
import re
import textwrap

LABEL = re.compile(r"(Errors|Domain|Guarantee|Result|Cost|Returns|Defn|Width|Quotas|Converted|Accuracy|Ref) {2,}(.*)")
WORD = re.compile(r"\b(?:dpn_[a-z0-9_]+|DPN_[A-Z0-9_]+)\b|\bdpnoise/[a-z-]+\.h\b|\bdocs/[\w/-]+\.md\b|\bexamples/[\w-]+\.c\b")


def pieces(text):
    """("comment" or "code", lines) of a header, in order; blank lines and what only the preprocessor needs are left out."""
    lines, i = text.splitlines(), 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("/*"):
            start = i
            while "*/" not in lines[i]:
                i += 1
            yield "comment", lines[start:i + 1]
        elif re.match(r"#define (?!DPN_API|DPN_MUST_CHECK|DPN_ALL_ZERO|DPNOISE_\w+_H$)", line):
            start = i
            while lines[i].endswith("\\"):
                i += 1
            yield "code", lines[start:i + 1]
        elif line.startswith("#") or line in ("", "}", 'extern "C" {'):
            pass
        else:
            start, depth = i, 0
            while True:
                bare = re.sub(r"/\*.*?(\*/|$)|^.*\*/|'.'|\"[^\"]*\"", "", lines[i])
                depth += bare.count("{") + bare.count("(") - bare.count("}") - bare.count(")")
                if depth <= 0 and (bare.rstrip().endswith(";") or (bare.rstrip() == "}" and depth == 0)):
                    break
                i += 1
            yield "code", lines[start:i + 1]
        i += 1


def words(lines):
    """The text of a comment, line by line, without its frame."""
    text = "\n".join(lines)
    text = re.sub(r"^/\* ?|\s*\*/$", "", text)
    return [re.sub(r"^ \* ?", "", line).rstrip() for line in text.splitlines()]


def defined(code):
    """The names that a declaration makes: a function or a type, and the constants of an enumeration."""
    bare = re.sub(r"/\*.*?\*/", "", "\n".join(code), flags=re.S)
    if bare.startswith("#define"):
        return re.findall(r"^#define (DPN\w+)", bare)
    enumerated = re.match(r"(?:typedef )?enum\b[^{]*\{(.*)\}", bare, re.S)
    constants = re.findall(r"\b(DPN_[A-Z0-9_]+)\s*(?=[=,}]|$)", enumerated[1]) if enumerated else []
    if bare.startswith("typedef"):
        return re.findall(r"\b(dpn_\w+)\)?(?:\(.*\))?;\s*$", bare, re.S)[-1:] + constants
    if re.match(r"enum|struct", bare):
        return constants
    return re.findall(r"\b(dpn_\w+)\(", bare)[:1]


class Reference:
    """All headers: where each name is defined, and the page of each header."""

    def __init__(self, headers, link):
        """headers: {path: text}; link(page, target, anchor) is the address of a target as seen from a page, None if there is none."""
        self.link, self.place, self.header = link, {}, {}
        for path, text in headers.items():
            self.header[path] = list(pieces(text))
            for kind, lines in self.header[path]:
                for name in defined(lines) if kind == "code" else []:
                    self.place.setdefault(name, path)

    def target(self, word):
        """(path, anchor) that a word of a text stands for, None if it stands for nothing."""
        if word in self.place:
            return self.place[word], word
        if word.endswith(".h") and f"include/{word}" in self.header:
            return f"include/{word}", ""
        return (word, "") if word.startswith(("docs/", "examples/")) else None

    def linked(self, page, text, own=()):
        """Escaped text in which names are links."""
        def one(match):
            word = match.group()
            target = None if word in own else self.target(word)
            address = target and self.link(page, *target)
            return f'<a href="{address}">{word}</a>' if address else word
        return WORD.sub(one, html.escape(text, quote=False))

    def prose(self, page, lines):
        """A comment as HTML: paragraphs, labelled parts, and what is indented as it stands."""
        out, paragraph, block, label = [], [], [], None

        def flush():
            nonlocal label
            if paragraph:
                text = re.sub(r"`([^`]+)`", r"<code>\1</code>", self.linked(page, " ".join(paragraph)))
                text = re.sub(r"(?<!\S)\*(\w[^*]*\w)\*(?!\w)", r"<em>\1</em>", text)
                out.append(f'<p class="part"><b>{label}</b> {text}</p>' if label else f"<p>{text}</p>")
            if block:
                text = textwrap.dedent("\n".join(block)).rstrip()
                out.append(f"<pre><code>{self.linked(page, text)}</code></pre>")
            paragraph.clear(), block.clear()

        for line in lines:
            labelled = LABEL.match(line)
            indented = line.startswith("  ") and not (label and paragraph)
            if not line:
                if block:
                    block.append("")
                else:
                    flush()
                    label = None
            elif labelled:
                flush()
                label = labelled[1]
                paragraph.append(labelled[2])
            elif line == "Example":
                flush()
                label = None
                out.append('<p class="example">Example</p>')
            elif indented:
                if paragraph:
                    flush()
                    label = None
                block.append(line[2:])
            else:
                if block:
                    flush()
                if label and not line.startswith(" "):
                    flush()
                    label = None
                paragraph.append(line.strip())
        flush()
        return "\n".join(out)

    def code(self, page, lines, own):
        text = "\n".join(lines).replace("DPN_API ", "").replace("DPN_MUST_CHECK ", "")
        if text.startswith("static inline"):
            text = text[len("static inline "):text.index(" {")] + ";"
        elif re.match(r"(?!typedef|enum|struct|#)", text):  # a prototype: filled anew, now that it is shorter
            text = re.sub(r"\s+", " ", text)
            if len(text) > 84:
                text = textwrap.fill(text, 84, subsequent_indent="    ", break_long_words=False)
        return re.sub(r"(/\*.*?\*/)", r'<span class="co">\1</span>', self.linked(page, text, own), flags=re.S)

    def title(self, path):
        """What the first line of a header says that it is for."""
        first = " ".join(words(self.header[path][0][1])).split(" - ", 1)[-1]
        return re.split(r"[.:;](?: |$)", first)[0]

    def page(self, path):
        """The page of a header as HTML: the names of an item, its declarations, and its comment."""
        out, comment, names, codes, anchors = [], "", [], [], set()

        def flush():
            nonlocal comment
            if codes:
                shown = [name for name in names if name.startswith("dpn_")] or names
                head = ", ".join(f"<code>{name}</code>" for name in shown)
                marks = "".join(f'<span id="{name}"></span>' for name in names if name != shown[0])
                head = f'<h3 id="{shown[0]}">{marks}{head}</h3>' if shown else ""
                out.append(f'<section class="item">{head}<pre><code>{chr(10).join(codes)}</code></pre>{comment}</section>')
            else:
                out.append(comment)
            comment = ""
            names.clear(), codes.clear()

        top = words(self.header[path][0][1])
        top[0] = re.sub(r"^dpnoise/[\w-]+\.h - (.)", lambda match: match[1].upper(), top[0])
        out += [f"<h1>{html.escape(path[len('include/'):])}</h1>", self.sections(path, top)]
        for kind, lines in self.header[path][1:]:
            if kind == "comment":
                flush()
                comment = self.sections(path, words(lines))
                if comment.lstrip().startswith("<h2"):
                    out.append(comment)
                    comment = ""
                continue
            own = [name for name in defined(lines) if name not in anchors]
            anchors.update(own)
            names += own
            codes.append(self.code(path, lines, own))
        flush()
        return "\n".join(out)

    def heading(self, text):
        name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
        return f'<h2 id="{name}">{html.escape(text)}</h2>'

    def sections(self, path, lines):
        """A comment with its headings."""
        out, part = [], []
        for line in lines + ["---- end ----"]:
            heading = re.match(r"-{4} (.*) -{4}$", line)
            if heading:
                out.append(self.prose(path, part))
                out.append(self.heading(heading[1]) if heading[1] != "end" else "")
                part = []
            else:
                part.append(line)
        return "\n".join(out)
