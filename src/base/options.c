#include "base/options.h"

#include "base/error.h"

#include <string.h>

enum { MOST = 1 << 16 }; /* more is no structure but a member that was not set */

dpn_status dpn_options_take(void *own, size_t size, const void *options, dpn_error *why) {
    size_t given = size;
    if (options) memcpy(&given, options, sizeof given);
    if (given < sizeof given || given > MOST)
        return dpn_fail(why, DPN_EDOMAIN,
                        "options were not initialised: start from the function whose name ends in _init");
    const unsigned char *bytes = options;
    for (size_t i = size; i < given; i++)
        if (bytes[i] != 0)
            return dpn_fail(why, DPN_EDOMAIN,
                            "options ask for something that this version of the library does not have");
    memset(own, 0, size);
    if (options) memcpy(own, options, given < size ? given : size);
    memcpy(own, &size, sizeof size);
    return DPN_OK;
}
