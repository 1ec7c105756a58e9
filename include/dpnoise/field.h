/* dpnoise/field.h - one field of a row of a table, as text. */
#ifndef DPNOISE_FIELD_H
#define DPNOISE_FIELD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Not terminated; quotes are removed. The NULL of a database has text == NULL. */
typedef struct dpn_field {
    const char *text;
    size_t length;
} dpn_field;

#ifdef __cplusplus
}
#endif

#endif
