/* Text that grows. */
#include "base/text/buffer.h"

#include <stdlib.h>

/* At least 1000 bytes, as most texts have. After a failure there is never room, so that it is asked for here alone. */
bool dpn_text_grow(dpn_text *text, size_t count) {
    size_t room = 2 * text->room + count + 1000;
    char *larger = text->failed ? NULL : realloc(text->at, room);
    if (!larger) {
        text->failed = true;
        text->room = text->length;
        return false;
    }
    text->at = larger;
    text->room = room;
    return true;
}
