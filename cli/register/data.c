/* The data that `dpnoise register` is told of: opened, and where they are. */
#include "register/register.h"

#include "kit/fail.h"
#include "kit/file.h"

#include <stdlib.h>
#include <string.h>

/* Open DATA and write down where they are. */
dpn_status register_find_data(struct registering *registering, dpn_error *why) {
    dpn_place *source = &registering->registration.source;
    bool multiline = registering->registration.multiline || arguments_have(registering->arguments, "--multiline");
    if (!registering->data) {
        bool declared = source->kind == DPN_PLACE_DECLARED;
        return declared ? DPN_OK : dpn_place_open(&registering->table, source, multiline, why);
    }
    /* Standard input is what it is when questions are asked; but now it may be a file that has a budget. */
    if (strcmp(registering->data, "-") == 0) {
        static char input[] = "standard input";
        dpn_place declared = {.kind = DPN_PLACE_DECLARED, .what = input};
        dpn_status found = dpn_place_copy(source, &declared, why);
        return found ? found : dpn_table_identify_path(&registering->identity, "-", why);
    }
    dpn_table_options options = {.size = sizeof(dpn_table_options),
                                 .table = arguments_value(registering->arguments, "--table"),
                                 .multiline = multiline};
    dpn_place place;
    dpn_status status = dpn_table_open(&registering->table, registering->data, &options, why);
    if (status) return why->status = status == DPN_EPARSE ? DPN_EIO : status;
    status = dpn_place_of_table(&place, &registering->identity, registering->table, registering->data, why);
    if (status) return status;
    dpn_place_free(source);
    *source = place;
    return DPN_OK;
}

/* Where the data of --from are, found as if they had been named: a path in the file may be a link, or data that have a name. */
dpn_status register_find_place(struct registering *registering, dpn_error *why) {
    dpn_place *source = &registering->registration.source, place;
    if (registering->data || !registering->table || (source->path && source->path[0] != '/')) return DPN_OK;
    dpn_status status = dpn_place_of_table(&place, &registering->identity, registering->table,
                                           source->kind == DPN_PLACE_POSTGRESQL ? source->connect : source->path, why);
    if (status) return status;
    dpn_place_free(source);
    *source = place;
    return DPN_OK;
}

dpn_status register_start(struct registering *registering, dpn_error *why) {
    static const char empty[] = "{\"source\": {\"kind\": \"declared\", \"what\": \"standard input\"}}";
    const char *from = arguments_value(registering->arguments, "--from");
    char *text = NULL;
    size_t length = 0;
    dpn_error reason;
    if (!from) return dpn_registration_read(&registering->registration, empty, strlen(empty), why);
    dpn_status status = file_read(&text, &length, from, FILE_MOST, "--from: ", why);
    if (status) return status;
    status = dpn_registration_read(&registering->registration, text, length, &reason);
    free(text);
    return status ? refuse(why, status, "--from: %.200s", reason.sentence) : DPN_OK;
}
