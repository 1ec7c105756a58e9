/* Text that grows. */
#include "base/text/buffer.h"

#include <stdlib.h>
#include <string.h>

void dpn_text_add(dpn_text *text, const char *bytes, size_t count) {
    if (text->failed) return;
    if (count >= text->room - text->length) {
        size_t room = 2 * text->room + count + 256;
        char *larger = realloc(text->at, room);
        if (!larger) {
            text->failed = true;
            return;
        }
        text->at = larger;
        text->room = room;
    }
    if (count > 0) memcpy(text->at + text->length, bytes, count);
    text->length += count;
    text->at[text->length] = '\0';
}

void dpn_text_put(dpn_text *text, const char *string) {
    dpn_text_add(text, string, strlen(string));
}
