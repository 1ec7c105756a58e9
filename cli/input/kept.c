/* The files of the data sets in a ledger, kept from options that read and write. */
#include "input/kept.h"

#include "kit/fail.h"
#include "kit/guard.h"

#include <dpnoise/registration.h>
#include <stdlib.h>

static dpn_status check_one(const dpn_registration *of, const char *name, const char *option, const char *file,
                            enum kept_use use, dpn_error *why) {
    bool data = of->source.path && guard_same_database(file, of->source.path);
    bool log = use != KEPT_AS_LOG && of->log && guard_same(file, of->log);
    if (!data && !log) return DPN_OK;
    return refuse(why, DPN_EDOMAIN, "%s: '%.80s' is %s of '%.60s', %s", option, file, data ? "the data" : "the log",
                  name,
                  use != KEPT_READ ? "and is not written over; give another name"
                                   : "which is private; name a file with what is public");
}

dpn_status kept_check(dpn_ledger *ledger, const char *option, const char *file, enum kept_use use, dpn_error *why) {
    dpn_known_source known = {.number = 0};
    dpn_status status = DPN_OK;
    while (file && !status) {
        dpn_registration of;
        dpn_error reason;
        status = dpn_ledger_next_source(&known, ledger, known.number, why);
        if (status || !known.text) return status;
        status = dpn_registration_read(&of, known.text, known.length, &reason);
        free(known.text);
        if (status)
            return refuse(why, DPN_EIO, "where the data of '%.100s' are cannot be read: %.100s", known.name,
                          reason.sentence);
        status = check_one(&of, known.name, option, file, use, why);
        dpn_registration_free(&of);
    }
    return status;
}
