/* A writer of JSON. */
#include "kit/json.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

size_t utf8_length(const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    size_t length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || beyond ? 0 : length;
}

static void write_string(FILE *out, const char *text) {
    putc('"', out);
    while (*text) {
        unsigned char c = (unsigned char)*text;
        size_t length = utf8_length(text);
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\u%04x", (unsigned)c);
        else if (length == 0)
            fputs("\xef\xbf\xbd", out);
        else
            fwrite(text, 1, length, out);
        text += length ? length : 1;
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
    fputs(text, json->out);
}
