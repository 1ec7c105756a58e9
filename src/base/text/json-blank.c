/* Blanking out a member. */
#include "base/text/json-blank.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void dpn_json_blank(char *copy, const dpn_json_value *value) {
    /* The name of a member is the string before its value; strings are without their quotes. */
    size_t from = (size_t)(value - 1)->start - 1, to = (size_t)value->start + value->length;
    if (value->kind == DPN_JSON_STRING) to++;
    for (size_t i = from; i < to; i++)
        if (copy[i] != '\n') copy[i] = ' ';
    while (is_blank(copy[to])) to++;
    if (copy[to] == ',') {
        copy[to] = ' ';
        return;
    }
    while (from > 0 && is_blank(copy[from - 1])) from--;
    if (from > 0 && copy[from - 1] == ',') copy[from - 1] = ' ';
}
