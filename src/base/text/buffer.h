/* Text that grows. A failure to get memory is remembered, so that it is asked for once, at the end. */
#ifndef DPN_TEXT_BUFFER_H
#define DPN_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Zero-initialise; free(at) releases it. at is NULL or ends in a zero that length does not count. */
typedef struct dpn_text {
    char *at;
    size_t length, room;
    bool failed;
} dpn_text;

/* Make room for count more bytes; false if there is no memory, now or before. */
bool dpn_text_grow(dpn_text *text, size_t count);

static inline void dpn_text_add(dpn_text *text, const char *bytes, size_t count) {
    if (count >= text->room - text->length && !dpn_text_grow(text, count)) return;
    if (count > 0) memcpy(text->at + text->length, bytes, count);
    text->length += count;
    text->at[text->length] = '\0';
}

static inline void dpn_text_put(dpn_text *text, const char *string) {
    dpn_text_add(text, string, strlen(string)); /* of a literal the compiler counts */
}

#endif
