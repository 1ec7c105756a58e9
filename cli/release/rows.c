/* The rows of `dpnoise release`: from the source into exact sums. */
#define _POSIX_C_SOURCE 200809L
#include "release/release.h"

#include "input/parts.h"
#include "kit/fail.h"
#include "kit/nearest.h"

#include <stdlib.h>
#include <string.h>

/* ---- The columns ---- */

/* The names of the columns, as many as there is room for. */
static void list_columns(char *out, size_t size, const dpn_table *table) {
    size_t used = 0;
    for (size_t i = 0; dpn_table_column(table, i); i++) {
        const char *name = dpn_table_column(table, i), *comma = i > 0 ? ", " : "";
        bool last = !dpn_table_column(table, i + 1);
        if (used + strlen(comma) + strlen(name) + (last ? 0 : strlen(", ...")) >= size) {
            snprintf(out + used, size - used, "%s...", comma);
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", comma, name);
    }
}

/* Whether a name is a number, as in a file whose first line is a row: it is somebody's, and is not told. */
static bool has_no_header(const dpn_table *table) {
    for (size_t i = 0; dpn_table_column(table, i); i++) {
        char *end = NULL;
        const char *name = dpn_table_column(table, i);
        strtod(name, &end);
        if (end != name && *end == '\0') return true;
    }
    return false;
}

/* A column that is not there, with the one that may be meant, or with all of them: the names are public to whoever can read the
 * file. Those of a data set that is registered are what its registration says. */
static dpn_status refuse_column(const struct release *release, const char *name, dpn_error *why) {
    struct nearest search = nearest_to(name, strlen(name));
    char all[120] = "";
    if (has_no_header(release->table))
        return refuse(why, DPN_EDOMAIN, "the table has no column '%.80s': its first line has numbers, not names", name);
    for (size_t i = 0; dpn_table_column(release->table, i); i++)
        nearest_try(&search, dpn_table_column(release->table, i));
    if (search.name)
        return refuse(why, DPN_EDOMAIN, "the table has no column '%.80s'; did you mean '%.80s'?", name, search.name);
    if (release->registered) return refuse(why, DPN_EDOMAIN, "the table has no column '%.80s'", name);
    list_columns(all, sizeof all, release->table);
    return refuse(why, DPN_EDOMAIN, "the table has no column '%.80s'; it has %s", name, all);
}

/* Data that were recognised by their name before they are opened must still be what that name leads to. */
static dpn_status open_later(struct release *release, dpn_error *why) {
    dpn_table_identity found;
    dpn_status status = release_open_source(release, why);
    if (status || release->by_name) return status;
    status = dpn_table_identify(&found, release->table, why);
    if (status) return status;
    /* What was a name of nothing may have become a link, which is the same file as long as it stands: the paths are compared too. */
    bool same = dpn_table_identity_same(&release->identity, &found) &&
                (!found.path || strcmp(release->identity.path, found.path) == 0);
    dpn_table_identity_free(&found);
    return same ? DPN_OK
                : refuse(why, DPN_EIO, "'%.80s' leads to other data than a moment ago: ask again",
                         release_source_name(release));
}

/* A table that was opened to be recognised is opened anew if it is registered with line ends in quotes. */
static dpn_status open_as_registered(struct release *release, dpn_error *why) {
    const dpn_registration *registration = dpn_question_registration(release->question);
    release->multiline = registration && registration->multiline;
    if (release->table && release->multiline && !release->by_name &&
        !arguments_have(release->arguments, "--multiline")) {
        if (release_source_is_stream(release))
            return refuse(why, DPN_EPARSE, "the data are registered with line ends in quotes: give --multiline too");
        dpn_table_close(release->table);
        release->table = NULL;
    }
    return release->table ? DPN_OK : open_later(release, why);
}

dpn_status release_open_table(struct release *release, dpn_error *why) {
    size_t columns = 0;
    while (dpn_query_column(dpn_question_query(release->question), columns)) columns++;
    dpn_status status = open_as_registered(release, why);
    if (status) return status;
    size_t *wanted = calloc(columns + 1, sizeof *wanted);
    if (!wanted) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < columns && !status; i++) {
        status =
            dpn_table_find(&wanted[i], release->table, dpn_query_column(dpn_question_query(release->question), i), why);
        if (status == DPN_EDOMAIN)
            status = refuse_column(release, dpn_query_column(dpn_question_query(release->question), i), why);
    }
    if (!status) status = dpn_table_want(release->table, wanted, columns, why);
    free(wanted);
    return status;
}

/* ---- The rows ---- */

dpn_status release_threads(struct release *release, dpn_error *why) {
    uint64_t threads = PARTS_THREADS;
    dpn_status status = arguments_count(&threads, release->arguments, "--threads", why);
    if (!status && threads > PARTS_MOST_THREADS)
        status = refuse(why, DPN_EDOMAIN, "--threads is at most %d", PARTS_MOST_THREADS);
    release->threads = (size_t)threads;
    return status;
}

dpn_status release_read(struct release *release, dpn_error *why) {
    struct progress progress = progress_start("release", 1);
    dpn_tally *tally = dpn_question_tally(release->question);
    dpn_status status = parts_read(&release->table, tally, release->threads, &progress, why);
    progress_end(&progress);
    return status ? dpn_question_fail(release->question, why, why) : DPN_OK;
}
