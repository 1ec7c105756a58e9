/* A writer of JSON: one object, its commas placed by the writer.
 *
 *     struct json object = json_begin(stdout);
 *     json_number(&object, "variance", 16);
 *     json_end(&object);
 *
 * Members of an array take the name NULL. Finite doubles are written so that they read back to the same double;
 * infinities are the strings "inf" and "-inf"; NaN is null. Errors of the stream show in ferror. */
#ifndef DPNOISE_CLI_KIT_JSON_H
#define DPNOISE_CLI_KIT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    bool first; /* no comma before the next value */
};

/* The outermost object; json_end closes it and ends the line. */
struct json json_begin(FILE *out);
void json_end(struct json *json);

void json_open_object(struct json *json, const char *name);
void json_close_object(struct json *json);
void json_open_array(struct json *json, const char *name);
void json_close_array(struct json *json);

void json_number(struct json *json, const char *name, double value);
void json_count(struct json *json, const char *name, uint64_t value);
void json_bool(struct json *json, const char *name, bool value);

/* Text in UTF-8; each byte that is not part of valid UTF-8 becomes U+FFFD, so that the output is always valid. */
void json_string(struct json *json, const char *name, const char *text);

/* A value that is JSON already. */
void json_value(struct json *json, const char *name, const char *text);

#endif
