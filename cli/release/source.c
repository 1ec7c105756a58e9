/* Which data `dpnoise release` is asked about, and whether the ledger may make a budget for them. */
#define _POSIX_C_SOURCE 200809L
#include "release/release.h"

#include "input/source.h"
#include "kit/fail.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Which data ---- */

/* The name of the file, without the word that marks a database. */
const char *release_file(const struct release *release) {
    return strncmp(release->source, "sqlite:", 7) == 0 ? release->source + 7 : release->source;
}

bool release_source_is_server(const struct release *release) {
    return strncmp(release->source, "postgresql://", 13) == 0 || strncmp(release->source, "postgres://", 11) == 0;
}

bool release_source_is_stream(const struct release *release) {
    return strcmp(release->source, "-") == 0;
}

dpn_status release_open_source(struct release *release, dpn_error *why) {
    if (release->by_name) {
        dpn_status opened =
            dpn_place_open(&release->table, &release->registration.source, release->registration.multiline, why);
        return opened ? opened : release_check_input_data(release, why);
    }
    dpn_table_options options = {.size = sizeof(dpn_table_options),
                                 .table = arguments_value(release->arguments, "--table"),
                                 .multiline = release->multiline || arguments_have(release->arguments, "--multiline")};
    dpn_status status = dpn_table_open(&release->table, release->source, &options, why);
    /* A source without a first row that can be read is bad data, not misuse. */
    return status ? why->status = status == DPN_EPARSE ? DPN_EIO : status : DPN_OK;
}

static bool is_missing_file(const struct release *release) {
    return !release_source_is_server(release) && !release_source_is_stream(release) &&
           access(release_file(release), F_OK) != 0;
}

dpn_status release_identify(struct release *release, dpn_error *why) {
    /* A stored answer needs no data: a file that is gone still has a place. */
    if (is_missing_file(release) && !dpn_table_identify_path(&release->identity, release_file(release), NULL))
        return DPN_OK;
    dpn_status status = release_open_source(release, why);
    return status ? status : dpn_table_identify(&release->identity, release->table, why);
}

/* ---- Whether they may have a new budget ---- */

/* An empty file is a ledger that nobody has begun. */
bool release_has_ledger(const struct release *release) {
    struct stat ledger;
    return stat(release->budget.path, &ledger) == 0 && ledger.st_size > 0;
}

/* A key is made after the file of its ledger (dpn_ledger_create): who sees a key, and then no file, sees what is left of one. */
dpn_status release_check_key(const struct release *release, dpn_error *why) {
    struct stat key, ledger;
    const struct budget *budget = &release->budget;
    if (arguments_have(release->arguments, "--new-budget") || stat(budget->key, &key) != 0 ||
        stat(budget->path, &ledger) == 0)
        return DPN_OK;
    return refuse(why, DPN_EIO,
                  "the key '%.80s' is there and its ledger '%.80s' is gone: put the ledger back; --new-budget begins "
                  "another, and forgets what was spent",
                  budget->key, budget->path);
}

/* Where there is no ledger the first release makes one beside the data, unless the data may have another beside another
 * name of theirs. */
static dpn_status check_first(const struct release *release, dpn_error *why) {
    const dpn_table_identity *identity = &release->identity;
    bool said = release->budget.said;
    if (identity->linked && !said)
        return refuse(why, DPN_EDOMAIN,
                      "'%.80s' has several names (hard links), and another one may have a budget: give --ledger, or "
                      "--new-budget to begin one here",
                      release_source_name(release));
    if (identity->derived)
        return refuse(why, DPN_EDOMAIN,
                      "'%.80s' is a %s, which shows rows that may have a budget under another name: --new-budget makes "
                      "one for it all the same",
                      identity->table, identity->derived);
    return DPN_OK;
}

dpn_status release_check_new(const struct release *release, dpn_error *why) {
    size_t budgets = 0;
    dpn_head head;
    const struct budget *budget = &release->budget;
    if (arguments_have(release->arguments, "--new-budget")) return DPN_OK;
    dpn_status status = budget->ledger ? dpn_ledger_count(&budgets, &head, budget->ledger, why) : DPN_OK;
    if (status) return status;
    if (budgets == 0) return check_first(release, why);
    if (is_missing_file(release))
        return refuse(why, DPN_EIO, "there is no file '%.100s', and no data set '%.100s' in the ledger '%.80s'",
                      release_file(release), release->dataset, budget->path);
    return refuse(why, DPN_EDOMAIN,
                  "the ledger '%.80s' has no data set '%.100s': give --dataset if these data have another name there; "
                  "dpnoise budget init makes a budget, --new-budget one of exactly this release",
                  budget->path, release->dataset);
}
