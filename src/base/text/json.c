/* A strict reader of JSON. */
#include "base/text/json.h"

#include "base/error.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>

/* What may come next. */
typedef enum state { VALUE, VALUE_OR_END, NAME, NAME_OR_END, AFTER } state;

typedef struct reader {
    const char *text;
    size_t at, length;
    dpn_json_value *value;
    size_t values, room;
    uint32_t open[DPN_JSON_DEPTH]; /* the containers around this place */
    size_t depth;
    dpn_error *why;
} reader;

static dpn_status refuse(const reader *r, const char *what) {
    size_t line = 1;
    for (size_t i = 0; i < r->at; i++) line += r->text[i] == '\n';
    return dpn_fail(r->why, DPN_EPARSE, "line %zu: %s", line, r->at < r->length ? what : "the text ends too early");
}

static int peek(const reader *r) {
    return r->at < r->length ? (unsigned char)r->text[r->at] : -1;
}

static bool accept(reader *r, char c) {
    if (peek(r) != c) return false;
    r->at++;
    return true;
}

static inline void skip_blanks(reader *r) {
    if (peek(r) > ' ') return;
    for (int c = peek(r); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = peek(r)) r->at++;
}

static dpn_status add(reader *r, dpn_json_kind kind, size_t start, size_t length) {
    if (r->values == DPN_JSON_VALUES) return refuse(r, "there are too many values");
    if (r->values == r->room) {
        size_t room = 2 * r->room + 64;
        dpn_json_value *larger = realloc(r->value, room * sizeof *larger);
        if (!larger) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the values of a JSON text");
        r->value = larger;
        r->room = room;
    }
    r->value[r->values] = (dpn_json_value){kind, (uint32_t)start, (uint32_t)length, 0, (uint32_t)r->values + 1};
    r->values++;
    return DPN_OK;
}

/* ---- scalars ---- */

static bool is_digit(int c) {
    return c >= '0' && c <= '9';
}

static bool digits(reader *r) {
    size_t at = r->at, start = at;
    while (at < r->length && is_digit(r->text[at])) at++;
    r->at = at;
    return at > start;
}

static dpn_status read_number(reader *r) {
    size_t start = r->at;
    accept(r, '-');
    bool good = accept(r, '0') ? !is_digit(peek(r)) : digits(r);
    if (good && accept(r, '.')) good = digits(r);
    if (good && (accept(r, 'e') || accept(r, 'E'))) {
        if (!accept(r, '+')) accept(r, '-');
        good = digits(r);
    }
    return good ? add(r, DPN_JSON_NUMBER, start, r->at - start) : refuse(r, "a number is not written as in JSON");
}

static dpn_status read_word(reader *r) {
    static const struct {
        const char *word;
        dpn_json_kind kind;
    } words[] = {{"null", DPN_JSON_NULL}, {"false", DPN_JSON_FALSE}, {"true", DPN_JSON_TRUE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (r->length - r->at < length || memcmp(r->text + r->at, words[i].word, length) != 0) continue;
        r->at += length;
        return add(r, words[i].kind, r->at - length, length);
    }
    return refuse(r, "a value is expected");
}

/* The four hexadecimal digits of an escape, or -1. */
static long hexadecimal(const char *s) {
    long code = 0;
    for (int i = 0; i < 4; i++) {
        char c = s[i];
        int digit = is_digit(c)            ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return -1;
        code = 16 * code + digit;
    }
    return code;
}

/* The character of an escape at s, which starts with a backslash; *length becomes that of the escape, 0 if it is not one. */
static long escape(const char *s, size_t left, size_t *length) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    *length = 0;
    if (left < 2) return 0;
    const char *name = s[1] ? strchr(names, s[1]) : NULL;
    if (name) {
        *length = 2;
        return meant[name - names];
    }
    long high = s[1] == 'u' && left >= 6 ? hexadecimal(s + 2) : -1;
    if (high < 0 || (high >= 0xdc00 && high <= 0xdfff)) return 0;
    if (high < 0xd800 || high > 0xdbff) {
        *length = 6;
        return high;
    }
    long low = left >= 12 && s[6] == '\\' && s[7] == 'u' ? hexadecimal(s + 8) : -1;
    if (low < 0xdc00 || low > 0xdfff) return 0;
    *length = 12;
    return 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
}

/* Letters that stand for themselves and are one byte, as most are. */
static void skip_plain(reader *r) {
    size_t at = r->at;
    for (; at < r->length; at++) {
        unsigned char c = (unsigned char)r->text[at];
        if ((unsigned char)(c - 0x20) >= 0x60 || c == '"' || c == '\\') break;
    }
    r->at = at;
}

static dpn_status read_string(reader *r) {
    size_t start = ++r->at;
    for (skip_plain(r); peek(r) != '"'; skip_plain(r)) {
        if (peek(r) < 0) return refuse(r, "a string is not closed");
        if (peek(r) < 0x20) return refuse(r, "a string holds a control character");
        size_t length, left = r->length - r->at;
        if (peek(r) == '\\') {
            escape(r->text + r->at, left, &length);
            if (length == 0) return refuse(r, "a string holds an escape that is none of JSON");
        } else {
            length = dpn_utf8_length(r->text + r->at, left);
            if (length == 0) return refuse(r, "a string is not UTF-8");
        }
        r->at += length;
    }
    r->at++;
    return add(r, DPN_JSON_STRING, start, r->at - 1 - start);
}

/* ---- containers ---- */

static dpn_status open_container(reader *r, dpn_json_kind kind) {
    if (r->depth == DPN_JSON_DEPTH) return refuse(r, "the values are nested too deeply");
    dpn_status status = add(r, kind, r->at, 1);
    if (status) return status;
    r->open[r->depth++] = (uint32_t)r->values - 1;
    r->at++;
    return DPN_OK;
}

static dpn_json_value *container(const reader *r) {
    return r->depth ? &r->value[r->open[r->depth - 1]] : NULL;
}

static void close_container(reader *r) {
    dpn_json_value *closed = container(r);
    r->at++;
    closed->length = (uint32_t)(r->at - closed->start);
    closed->after = (uint32_t)r->values;
    r->depth--;
}

/* One value, or the start of one that holds others. */
static dpn_status read_value(reader *r, state *next) {
    int c = peek(r);
    if (r->depth > 0) container(r)->count++;
    *next = c == '{' ? NAME_OR_END : c == '[' ? VALUE_OR_END : AFTER;
    if (c == '{') return open_container(r, DPN_JSON_OBJECT);
    if (c == '[') return open_container(r, DPN_JSON_ARRAY);
    if (c == '"') return read_string(r);
    if (c == '-' || is_digit(c)) return read_number(r);
    return read_word(r);
}

static dpn_status read_name(reader *r, state *next) {
    if (peek(r) != '"') return refuse(r, "the name of a member is expected");
    dpn_status status = read_string(r);
    skip_blanks(r);
    *next = VALUE;
    if (!status && !accept(r, ':')) status = refuse(r, "a colon is expected after the name of a member");
    return status;
}

static dpn_status read_after(reader *r, state *next) {
    bool object = container(r)->kind == DPN_JSON_OBJECT;
    *next = object ? NAME : VALUE;
    if (accept(r, ',')) return DPN_OK;
    *next = AFTER;
    if (peek(r) != (object ? '}' : ']'))
        return refuse(r, object ? "a comma or } is expected" : "a comma or ] is expected");
    close_container(r);
    return DPN_OK;
}

static dpn_status read_all(reader *r) {
    dpn_status status = DPN_OK;
    for (state now = VALUE; !status; skip_blanks(r)) {
        bool closes = (now == VALUE_OR_END && peek(r) == ']') || (now == NAME_OR_END && peek(r) == '}');
        if (now == AFTER && r->depth == 0) break;
        if (closes) {
            close_container(r);
            now = AFTER;
        } else if (now == AFTER) {
            status = read_after(r, &now);
        } else if (now == NAME || now == NAME_OR_END) {
            status = read_name(r, &now);
        } else {
            status = read_value(r, &now);
        }
    }
    if (!status && r->at < r->length) status = refuse(r, "something follows the value");
    return status;
}

dpn_status dpn_json_read(dpn_json *out, const char *text, size_t length, dpn_error *why) {
    if (length > DPN_JSON_SIZE) return dpn_fail(why, DPN_EPARSE, "the text is longer than 64 MiB");
    reader r = {.text = text, .length = length, .why = why};
    skip_blanks(&r);
    dpn_status status = read_all(&r);
    if (status) {
        free(r.value);
        return status;
    }
    *out = (dpn_json){text, r.value, r.values};
    return DPN_OK;
}

void dpn_json_free(dpn_json *json) {
    free(json->value);
    *json = (dpn_json){0};
}

/* ---- looking things up ---- */

const dpn_json_value *dpn_json_first(const dpn_json_value *array) {
    return array + 1;
}

const dpn_json_value *dpn_json_next(const dpn_json *json, const dpn_json_value *element) {
    return json->value + element->after;
}

const dpn_json_value *dpn_json_member(const dpn_json *json, const dpn_json_value *object, const char *name,
                                      bool *twice) {
    const dpn_json_value *found = NULL, *at = object + 1;
    size_t length = strlen(name);
    for (uint32_t i = 0; i < object->count; i++) {
        const dpn_json_value *value = at + 1; /* a name is a single value */
        const char *here = json->text + at->start;
        if (at->length == length && (length == 0 || *here == *name) && !memcmp(here, name, length)) {
            if (found) *twice = true;
            found = value;
        }
        at = dpn_json_next(json, value);
    }
    return found;
}

/* Append a character in UTF-8. Returns its length, 0 if there is no room. */
static size_t put_utf8(char *out, size_t room, long c) {
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char head[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (length > room) return 0;
    for (size_t i = length; i-- > 1; c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(head[length] | c);
    return length;
}

dpn_status dpn_json_string(char *out, size_t size, const dpn_json *json, const dpn_json_value *value, dpn_error *why) {
    if (value->kind != DPN_JSON_STRING) return dpn_fail(why, DPN_EPARSE, "a string is expected");
    const char *s = json->text + value->start;
    size_t used = 0;
    for (size_t i = 0; i < value->length;) {
        size_t length = 1, put = 0;
        long c = s[i] == '\\' ? escape(s + i, value->length - i, &length) : 0;
        if (s[i] == '\\' && c == 0) return dpn_fail(why, DPN_EPARSE, "a string holds a zero byte");
        if (s[i] == '\\')
            put = put_utf8(out + used, size - 1 - used, c);
        else if (used < size - 1)
            out[used] = s[i], put = 1;
        if (put == 0) return dpn_fail(why, DPN_EPARSE, "a string is longer than %zu bytes", size - 1);
        used += put;
        i += length;
    }
    out[used] = '\0';
    return DPN_OK;
}
