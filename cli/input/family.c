/* A family of noise that an option names. */
#include "input/family.h"

#include "kit/fail.h"
#include "kit/nearest.h"

#include <dpnoise/calibrate.h>
#include <string.h>

dpn_status family_check(const char *option, const char *name, dpn_error *why) {
    if (!name || strcmp(name, "best") == 0) return DPN_OK;
    struct nearest search = nearest_to(name, strlen(name));
    for (size_t i = 0; dpn_mechanism_name(i); i++) {
        if (strcmp(dpn_mechanism_name(i), name) == 0) return DPN_OK;
        nearest_try(&search, dpn_mechanism_name(i));
    }
    if (search.name)
        return refuse(why, DPN_EPARSE, "%s: there is no '%.40s'; did you mean %s?", option, name, search.name);
    return refuse(why, DPN_EPARSE, "%s: there is no '%.40s'; dpnoise law --list lists them", option, name);
}
