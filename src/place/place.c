/* The data behind a registration. */
#define _POSIX_C_SOURCE 200809L
#include "base/error.h"

#include <dpnoise/place.h>

#include <stdlib.h>
#include <string.h>

/* ---- From a table to its place ---- */

void dpn_place_free(dpn_place *place) {
    free(place->path);
    free(place->table);
    free(place->system);
    free(place->database);
    free(place->schema);
    free(place->connect);
    free(place->what);
    *place = (dpn_place){.kind = DPN_PLACE_DECLARED};
}

static dpn_place_kind kind_of(dpn_table_origin origin) {
    switch (origin) {
    case DPN_TABLE_FILE:
        return DPN_PLACE_FILE;
    case DPN_TABLE_SQLITE:
        return DPN_PLACE_SQLITE;
    case DPN_TABLE_POSTGRESQL:
        return DPN_PLACE_POSTGRESQL;
    case DPN_TABLE_DUCKDB:
        return DPN_PLACE_DUCKDB;
    default:
        return DPN_PLACE_DECLARED;
    }
}

dpn_place dpn_place_of_identity(const dpn_table_identity *identity) {
    const union {
        const char *text;
        char *what; /* which nobody writes to or frees: the texts of such a place are not its own */
    } input = {"standard input"};
    return (dpn_place){.kind = kind_of(identity->origin),
                       .path = identity->path,
                       .table = identity->table,
                       .system = identity->system,
                       .database = identity->database,
                       .schema = identity->schema,
                       .what = identity->origin == DPN_TABLE_STREAM ? input.what : NULL};
}

dpn_status dpn_place_copy(dpn_place *out, const dpn_place *from, dpn_error *why) {
    dpn_place place = {.kind = from->kind};
    bool failed = false;
    struct {
        char **to;
        const char *from;
    } const part[] = {{&place.path, from->path},         {&place.table, from->table},   {&place.system, from->system},
                      {&place.database, from->database}, {&place.schema, from->schema}, {&place.what, from->what},
                      {&place.connect, from->connect}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        if (!part[i].from) continue;
        *part[i].to = strdup(part[i].from);
        failed |= !*part[i].to;
    }
    if (failed) {
        dpn_place_free(&place);
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    dpn_place_free(out);
    *out = place;
    return DPN_OK;
}

dpn_status dpn_place_of_table(dpn_place *out, dpn_table_identity *identity, const dpn_table *table, const char *source,
                              dpn_error *why) {
    dpn_table_identity found;
    dpn_place made = {.kind = DPN_PLACE_DECLARED};
    dpn_status status = dpn_table_identify(&found, table, why);
    if (status) return status;
    dpn_place place = dpn_place_of_identity(&found);
    char *connect = place.kind == DPN_PLACE_POSTGRESQL ? strdup(source) : NULL;
    place.connect = connect;
    if (found.password)
        status = dpn_fail(why, DPN_EDOMAIN,
                          "the address holds a password, which a ledger must not keep: put it into ~/.pgpass");
    else if (place.kind == DPN_PLACE_POSTGRESQL && !connect)
        status = dpn_fail(why, DPN_ENOMEM, "out of memory");
    else
        status = dpn_place_copy(&made, &place, why);
    free(connect);
    if (status) {
        dpn_table_identity_free(&found);
        return status;
    }
    *out = made;
    *identity = found;
    return DPN_OK;
}

/* ---- And back ---- */

static dpn_table_identity identity_of(const dpn_place *place) {
    static const dpn_table_origin origin[] = {DPN_TABLE_FILE, DPN_TABLE_SQLITE, DPN_TABLE_POSTGRESQL, DPN_TABLE_STREAM,
                                              DPN_TABLE_DUCKDB};
    return (dpn_table_identity){.origin = origin[place->kind],
                                .path = place->path,
                                .system = place->system,
                                .database = place->database,
                                .schema = place->schema,
                                .table = place->table};
}

bool dpn_place_is(const dpn_place *place, const dpn_table_identity *identity) {
    dpn_table_identity registered = identity_of(place);
    return dpn_table_identity_same(&registered, identity);
}

static dpn_status check_server(const dpn_place *place, const dpn_table *table, dpn_error *why) {
    dpn_table_identity identity;
    dpn_status status = dpn_table_identify(&identity, table, why);
    if (status) return status;
    bool same = dpn_place_is(place, &identity);
    dpn_table_identity_free(&identity);
    return same ? DPN_OK
                : dpn_fail(why, DPN_EIO,
                           "the server is not the one that is registered: if it is now, register that the data moved");
}

dpn_status dpn_place_open(dpn_table **out, const dpn_place *place, bool multiline, dpn_error *why) {
    dpn_table_options options = {
        .size = sizeof(dpn_table_options), .table = place->table, .schema = place->schema, .multiline = multiline};
    const char *source = place->kind == DPN_PLACE_DECLARED     ? "-"
                         : place->kind == DPN_PLACE_POSTGRESQL ? place->connect
                                                               : place->path;
    if (!source)
        return dpn_fail(why, DPN_EDOMAIN,
                        "how the server is reached is not registered: register that the data moved there");
    dpn_table *table;
    dpn_status status = dpn_table_open(&table, source, &options, why);
    if (status == DPN_EPARSE) status = DPN_EIO;
    if (status && why) why->status = status;
    if (status) return status;
    if (place->kind == DPN_PLACE_POSTGRESQL) status = check_server(place, table, why);
    if (status) {
        dpn_table_close(table);
        return status;
    }
    *out = table;
    return DPN_OK;
}

/* ---- In a ledger ---- */

dpn_status dpn_registration_find(dpn_registration *out, bool *known, uint64_t *version, dpn_ledger *ledger,
                                 const char *name, dpn_error *why) {
    char *text = NULL;
    size_t length = 0;
    dpn_error reason;
    *known = false;
    dpn_status status = dpn_ledger_find_registration(&text, &length, version, NULL, ledger, name, why);
    if (status || !text) return status;
    status = dpn_registration_read(out, text, length, &reason);
    free(text);
    if (status == DPN_ENOMEM) return dpn_fail(why, status, "out of memory");
    if (status)
        return dpn_fail(why, DPN_EIO, "the registration of '%.100s' cannot be read: %.120s", name, reason.sentence);
    *known = true;
    return DPN_OK;
}

dpn_status dpn_place_find_owner(dpn_place_owner *out, dpn_ledger *ledger, const dpn_table_identity *identity,
                                dpn_error *why) {
    dpn_known_source known = {.number = 0};
    *out = (dpn_place_owner){.registered = false};
    while (!out->registered) {
        dpn_registration registration;
        dpn_error reason;
        dpn_status status = dpn_ledger_next_source(&known, ledger, known.number, why);
        if (status || !known.text) return status;
        status = dpn_registration_read(&registration, known.text, known.length, &reason);
        free(known.text);
        if (status)
            return dpn_fail(why, DPN_EIO, "where the data of '%.100s' are cannot be read: %.100s", known.name,
                            reason.sentence);
        if (dpn_place_is(&registration.source, identity)) {
            memcpy(out->name, known.name, sizeof known.name);
            out->registered = known.version > 0;
        }
        dpn_registration_free(&registration);
    }
    return DPN_OK;
}
