/* The one table of statuses. */
#include "base/error.h"

#include <dpnoise/version.h>
#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *name, *text;
    int exit_code;
    const char *sqlstate;
} table[] = {
    [DPN_OK] = {"DPN_OK", "done", 0, "00000"},
    [DPN_EDOMAIN] = {"DPN_EDOMAIN", "argument outside its domain", 2, "22003"},
    [DPN_EPARSE] = {"DPN_EPARSE", "text not understood", 2, "22P02"},
    [DPN_EBUDGET] = {"DPN_EBUDGET", "refused by the privacy budget", 1, "53400"},
    [DPN_EACCURACY] = {"DPN_EACCURACY", "the accuracy cannot be reached", 4, "0A000"},
    [DPN_EENTROPY] = {"DPN_EENTROPY", "no random bits from the kernel", 4, "58000"},
    [DPN_ENOMEM] = {"DPN_ENOMEM", "out of memory", 4, "53200"},
    [DPN_EIO] = {"DPN_EIO", "a file could not be read or written", 3, "58030"},
    [DPN_EUNSUPPORTED] = {"DPN_EUNSUPPORTED", "not supported", 2, "0A000"},
    [DPN_ECANCELLED] = {"DPN_ECANCELLED", "cancelled", 4, "57014"},
};

static int known(dpn_status status) {
    return (int)status >= 0 && (size_t)status < sizeof table / sizeof *table;
}

const char *dpn_status_name(dpn_status status) {
    return known(status) ? table[status].name : "DPN_?";
}

const char *dpn_status_text(dpn_status status) {
    return known(status) ? table[status].text : "unknown status";
}

int dpn_status_exit_code(dpn_status status) {
    return known(status) ? table[status].exit_code : 4;
}

const char *dpn_status_sqlstate(dpn_status status) {
    return known(status) ? table[status].sqlstate : "XX000";
}

const char *dpn_version(void) {
    return DPN_VERSION;
}

dpn_status dpn_fail(dpn_error *why, dpn_status status, const char *format, ...) {
    if (why) {
        va_list arguments;
        va_start(arguments, format);
        why->status = status;
        vsnprintf(why->sentence, sizeof why->sentence, format, arguments);
        va_end(arguments);
    }
    return status;
}
