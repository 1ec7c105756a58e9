/* A writer of JSON. */
#include "kit/json.h"

#include "base/text/json-letter.h"
#include "kit/plain.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>

/* A control character beyond ASCII is escaped: JSON may stand in a terminal, and reads back as it was. */
static bool write_escaped(FILE *out, const char **text) {
    enum plain_kind kind;
    uint32_t code;
    size_t length = plain_take(&kind, &code, *text);
    if (kind != PLAIN_CONTROL || code < 0x80) return false;
    fprintf(out, "\\u%04" PRIx32, code);
    *text += length;
    return true;
}

static void write_string(FILE *out, const char *text) {
    putc('"', out);
    while (*text) {
        char letter[DPN_JSON_LETTER_SIZE];
        if (write_escaped(out, &text)) continue;
        size_t length = dpn_json_letter(letter, &text);
        fwrite(letter, 1, length, out);
    }
    putc('"', out);
}

static void write_name(struct json *json, const char *name) {
    if (!json->first) fputs(", ", json->out);
    json->first = false;
    if (!name) return;
    write_string(json->out, name);
    fputs(": ", json->out);
}

static void open_bracket(struct json *json, const char *name, char bracket) {
    write_name(json, name);
    putc(bracket, json->out);
    json->first = true;
}

static void close_bracket(struct json *json, char bracket) {
    putc(bracket, json->out);
    json->first = false;
}

struct json json_begin(FILE *out) {
    struct json json = {out, true};
    open_bracket(&json, NULL, '{');
    return json;
}

void json_end(struct json *json) {
    close_bracket(json, '}');
    putc('\n', json->out);
}

void json_open_object(struct json *json, const char *name) {
    open_bracket(json, name, '{');
}

void json_close_object(struct json *json) {
    close_bracket(json, '}');
}

void json_open_array(struct json *json, const char *name) {
    open_bracket(json, name, '[');
}

void json_close_array(struct json *json) {
    close_bracket(json, ']');
}

void json_number(struct json *json, const char *name, double value) {
    char text[DPN_NUMBER_SIZE];
    if (isinf(value)) {
        json_string(json, name, dpn_number_print(text, value));
        return;
    }
    write_name(json, name);
    fputs(isnan(value) ? "null" : dpn_number_print(text, value), json->out);
}

void json_count(struct json *json, const char *name, uint64_t value) {
    write_name(json, name);
    fprintf(json->out, "%" PRIu64, value);
}

void json_bool(struct json *json, const char *name, bool value) {
    write_name(json, name);
    fputs(value ? "true" : "false", json->out);
}

void json_string(struct json *json, const char *name, const char *text) {
    write_name(json, name);
    write_string(json->out, text);
}

void json_value(struct json *json, const char *name, const char *text) {
    write_name(json, name);
    while (*text) {
        size_t ascii = 0;
        while (text[ascii] > 0) ascii++;
        fwrite(text, 1, ascii, json->out);
        text += ascii;
        if (*text && !write_escaped(json->out, &text)) putc(*text++, json->out);
    }
}
