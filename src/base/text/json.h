/* A strict reader of JSON (RFC 8259): the text becomes a row of values, each followed by what it holds.
 *
 * Nothing is guessed: no comments, no trailing commas, no bare words, UTF-8 only, one value and nothing after it. Depth,
 * size and number of values are bounded, and nothing recurses, so that hostile text costs no more than honest text of
 * its length. Names of members are strings before their values. */
#ifndef DPN_TEXT_JSON_H
#define DPN_TEXT_JSON_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DPN_JSON_DEPTH = 32, DPN_JSON_SIZE = 1 << 26, DPN_JSON_VALUES = 1 << 23 };

typedef enum dpn_json_kind {
    DPN_JSON_NULL,
    DPN_JSON_FALSE,
    DPN_JSON_TRUE,
    DPN_JSON_NUMBER,
    DPN_JSON_STRING,
    DPN_JSON_ARRAY,
    DPN_JSON_OBJECT,
} dpn_json_kind;

typedef struct dpn_json_value {
    dpn_json_kind kind;
    uint32_t start, length; /* its text, for a string without the quotes */
    uint32_t count;         /* of its elements or members */
    uint32_t after;         /* the index of the value that follows it and all that it holds */
} dpn_json_value;

typedef struct dpn_json {
    const char *text;
    dpn_json_value *value; /* value[0] is the whole */
    size_t values;
} dpn_json;

/* Read a text of that length, which must outlive the result. Free with dpn_json_free.
 * Errors   DPN_EPARSE, with the line; DPN_ENOMEM. On error *out is not written.
 */
dpn_status dpn_json_read(dpn_json *out, const char *text, size_t length, dpn_error *why);
void dpn_json_free(dpn_json *json);

/* The member of that plain name in an object, NULL if there is none (or *twice set true: there are two). */
const dpn_json_value *dpn_json_member(const dpn_json *json, const dpn_json_value *object, const char *name,
                                      bool *twice);

/* The element of an array after one of its elements, which are counted by the caller; the first for the array itself.
 */
const dpn_json_value *dpn_json_first(const dpn_json_value *array);
const dpn_json_value *dpn_json_next(const dpn_json *json, const dpn_json_value *element);

/* The nearest double of a number, or one of the strings "inf" and "-inf".
 * Errors   DPN_EPARSE for another value, DPN_EDOMAIN for a number that no double holds.
 */
dpn_status dpn_json_number(double *out, const dpn_json *json, const dpn_json_value *value, dpn_error *why);

/* A string, its escapes undone, with a terminating zero.
 * Errors   DPN_EPARSE for another value, for one that does not fit and for one that holds U+0000.
 */
dpn_status dpn_json_string(char *out, size_t size, const dpn_json *json, const dpn_json_value *value, dpn_error *why);

#endif
