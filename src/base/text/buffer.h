/* Text that grows. A failure to get memory is remembered, so that it is asked for once, at the end. */
#ifndef DPN_TEXT_BUFFER_H
#define DPN_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise; free(at) releases it. at is NULL or ends in a zero that length does not count. */
typedef struct dpn_text {
    char *at;
    size_t length, room;
    bool failed;
} dpn_text;

void dpn_text_add(dpn_text *text, const char *bytes, size_t count);
void dpn_text_put(dpn_text *text, const char *string);

#endif
