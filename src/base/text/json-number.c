/* The numbers of a JSON text. */
#include "base/error.h"
#include "base/text/json.h"

#include <dpnoise/number.h>
#include <math.h>
#include <string.h>

static bool is_word(const dpn_json *json, const dpn_json_value *value, const char *word) {
    return value->kind == DPN_JSON_STRING && value->length == strlen(word) &&
           !memcmp(json->text + value->start, word, value->length);
}

static dpn_status infinity(double *out, const dpn_json *json, const dpn_json_value *value, dpn_error *why) {
    if (!is_word(json, value, "inf") && !is_word(json, value, "-inf"))
        return dpn_fail(why, DPN_EPARSE, "a number is expected");
    *out = value->length == 3 ? INFINITY : -INFINITY;
    return DPN_OK;
}

dpn_status dpn_json_number(double *out, const dpn_json *json, const dpn_json_value *value, dpn_error *why) {
    if (value->kind != DPN_JSON_NUMBER) return infinity(out, json, value, why);
    char text[1100]; /* a double written out in full has up to 1075 characters */
    if (value->length >= sizeof text) return dpn_fail(why, DPN_EPARSE, "a number is too long");
    memcpy(text, json->text + value->start, value->length);
    text[value->length] = '\0';
    return dpn_number_parse(out, text, why);
}
