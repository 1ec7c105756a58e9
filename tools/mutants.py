"""The mutants of a C file: small changes of its text, each of which some test should notice.

A mutant is named FILE:FUNCTION:OPERATOR:LINE:NUMBER, where LINE is a digest of the line's text and NUMBER counts the mutants of
this operator in lines of this text in this function, so that a name stays true while other lines change. Operators:

    strict     < for <=, > for >=, and back
    negate     a condition turned around
    logic      && for ||, and back
    sign       + for -, * for /, and back
    drop       a term, a factor or a condition left out
    constant   a whole number one more or less, another number doubled or halved
    round      rounded in the other direction: dpn_lower for dpn_upper, fmin for fmax, floor for ceil, .lower for .upper, ...
    unround    not rounded at all: x for dpn_upper(x) and for nextafter(x, INFINITY)
    statement  an assignment left out

The text is read as clang-format leaves it: operators of two sides stand between blanks, others do not.
"""
import collections
import hashlib
import re

NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n\\]|\\\n|\\.)*', re.M | re.S)
FUNCTION = re.compile(r"\b(\w+)\s*\((?:[^(){};]|\([^()]*\))*\)\s*$")
NUMBER = re.compile(r"(?<![\w.])(0x[\da-fA-F.]+(?:p[+-]?\d+)?|\d+(?:\.\d*)?(?:e[+-]?\d+)?)(?=[uUlL]*(?![\w.]))")
BINARY = re.compile(r"(?<=\s)(<=|>=|==|!=|&&|\|\||[-+*/]=|[-+*/<>])(?=\s)")
WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
ASSIGNMENT = re.compile(r"^[ \t]+([\w.>\[\]-]+ [-+*/|&]?= [^;{}]*;)[ \t]*$", re.M)
# Memory is another matter: sanitizers look after it, and too much of it is no fault.
PASSED_OVER = re.compile(r"\b(malloc|calloc|realloc|sizeof|strdup|free|assert)\b|^\s*(?:static |const )*\w+ \*?\w+\[[^\]]*\]")

STRICT = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
NEGATE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
SIGN = {"+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
DIRECTIONS = [("upper", "lower"), ("up", "down"), ("above", "below"), ("most", "least"), ("high", "low")]
SWAPS = {"fmax": "fmin", "ceil": "floor"}
LIBM = set(SWAPS) | set(SWAPS.values())
UNROUNDED = {"dpn_upper", "dpn_lower", "dpn_above", "dpn_below", "dpn_rounded_up", "rounded_up", "round_up", "nextafter"}

Mutant = collections.namedtuple("Mutant", "name file line start end before after")


def mask(text):
    """The text with comments, strings and directives blanked out, of the same length."""
    return NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def functions(code):
    """(name, start, end) of the bodies of functions."""
    depth = start = 0
    name = begin = None
    for at in re.finditer(r"[{};]", code):
        if at.group(0) == "{":
            head = code[start:at.start()]
            function = FUNCTION.search(head)
            if depth == 0 and function and "=" not in head:
                name, begin = function.group(1), at.end()
            depth += 1
        elif at.group(0) == "}":
            depth -= 1
            if depth == 0 and name:
                yield name, begin, at.start()
                name = None
        if depth == 0:
            start = at.end()


def matching(code, at):
    """Where the bracket that opens here is closed: the place behind it."""
    depth = 0
    for place in range(at, len(code)):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if depth == 0:
            return place + 1
    return len(code)


def operand_end(code, at, products):
    """The end of the operand that begins here, with the factors that follow it if asked."""
    while code[at] in " \n\t-!~*&":
        at += 1
    number = NUMBER.match(code, at)  # its exponent may have a sign
    if number:
        at = number.end()
    while True:
        if code[at] in "([":
            at = matching(code, at)
        elif re.match(r"[\w.]", code[at]):
            at += 1
        elif code.startswith("->", at):
            at += 2
        else:
            break
    factor = re.match(r"\s[*/]\s", code[at:at + 3])
    return operand_end(code, at + 3, True) if products and factor else at


def condition_end(code, at):
    """The end of the condition that begins here."""
    depth = 0
    for place in range(at, len(code)):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if depth < 0 or depth == 0 and (code[place] in "?:;," or code.startswith(("&&", "||"), place)):
            return len(code[:place].rstrip())
    return len(code)


def arguments(code, at):
    """The places of the arguments of the call whose bracket opens here."""
    end, depth, places, start = matching(code, at), 0, [], at + 1
    for place in range(at, end):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if code[place] == "," and depth == 1 or place == end - 1:
            places.append((start, place))
            start = place + 1
    return places


def other_direction(word):
    for pair in list(SWAPS.items()) + DIRECTIONS:
        for this, that in (pair, pair[::-1]):
            if word == this or pair in DIRECTIONS and word.endswith("_" + this):
                return word[:len(word) - len(this)] + that
    return None


def constants(code, start, end):
    for match in NUMBER.finditer(code, start, end):
        number = match.group(1)
        if re.fullmatch(r"\d+", number):
            values = [str(int(number) + 1)] + ([str(int(number) - 1)] if int(number) else [])
        elif re.fullmatch(r"0x[\da-fA-F]+", number):
            values = [f"({number} + 1)"]
        else:
            values = [f"(2 * {number})", f"(0.5 * {number})"]
        for value in values:
            yield "constant", match.start(1), match.end(1), value


def operators(code, start, end):
    for match in BINARY.finditer(code, start, end):
        sign, place = match.group(1), match.span(1)
        line = code[code.rfind("\n", 0, place[0]) + 1:place[0]]
        for name, table in (("strict", STRICT), ("logic", LOGIC), ("sign", SIGN)):
            if sign in table:
                yield (name, *place, table[sign])
        if sign in NEGATE and not re.search(r"\bif \(", line):
            yield ("negate", *place, NEGATE[sign])
        if sign in ("+", "-", "*", "/"):
            yield "drop", place[0] - 1, operand_end(code, place[1], sign in "+-"), ""
        if sign in LOGIC:
            yield "drop", place[0] - 1, condition_end(code, place[1]), ""
    for match in re.finditer(r"\bif (\()", code[start:end]):
        begin = start + match.start(1)
        close = matching(code, begin)
        yield "negate", begin, close, f"(!{code[begin:close]})"


def roundings(code, start, end, known):
    for match in WORD.finditer(code, start, end):
        word, place = match.group(0), match.span(0)
        called, member = code[place[1]] == "(", code[place[0] - 1] == "." or code[place[0] - 2:place[0]] == "->"
        other = other_direction(word) if called or member else None
        if other and (other in known or other in LIBM):
            yield ("round", *place, other)
        if called and word in UNROUNDED:
            given = arguments(code, place[1])
            first, last = code[slice(*given[0])], code[slice(*given[-1])].strip()
            yield "unround", place[0], matching(code, place[1]), f"({first.strip()})"
            if word == "nextafter" and last in ("INFINITY", "-INFINITY"):
                yield "round", given[-1][0], given[-1][1], " -INFINITY" if last == "INFINITY" else " INFINITY"


def statements(code, start, end):
    for match in ASSIGNMENT.finditer(code, start, end):
        yield "statement", match.start(1), match.end(1), ";"


def changes(code, known, header):
    """(function, operator, start, end, replacement) of all mutants."""
    outside = 0
    for name, start, end in list(functions(code)) + [(None, len(code), len(code))]:
        if not header:
            for change in constants(code, outside, start):
                yield ("-", *change)
        outside = end
        if name:
            for find in (constants, operators, statements):
                for change in find(code, start, end):
                    yield (name, *change)
            for change in roundings(code, start, end, known):
                yield (name, *change)


def words_of(text):
    return set(WORD.findall(mask(text)))


def mutants_of(file, text, known):
    """The mutants of a file, in the order of its lines. `known` are the words of the tree: nothing else can be called."""
    code, counts, found = mask(text), collections.Counter(), []
    for function, operator, start, end, after in sorted(changes(code, known, file.endswith(".h")), key=lambda c: c[2:4] + c[1:2]):
        begin = text.rfind("\n", 0, start + 1) + 1
        line = text[begin:text.find("\n", start + 1)]
        if PASSED_OVER.search(line):
            continue
        digest = hashlib.sha256(line.strip().encode()).hexdigest()[:6]
        counts[function, operator, digest] += 1
        name = f"{file}:{function}:{operator}:{digest}:{counts[function, operator, digest]}"
        if after.startswith("(!"):  # the strings of a condition are blank in the code
            after = f"(!{text[start:end]})"
        found.append(Mutant(name, file, text.count("\n", 0, start + 1) + 1, start, end, text[start:end], after))
    return found
