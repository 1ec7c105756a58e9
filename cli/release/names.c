/* How `dpnoise release` calls the data set, and where its ledger is. */
#include "release/release.h"

#include "input/kept.h"
#include "input/levels.h"
#include "kit/fail.h"
#include "kit/guard.h"

#include <string.h>

const char *release_source_name(const struct release *release) {
    if (release_source_is_server(release)) return "PostgreSQL";
    const char *file = release_file(release), *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* people.csv.gz is about people. */
static void cut_extensions(char *name) {
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".gz") == 0) name[length - 3] = '\0';
    if (length > 4 && strcmp(name + length - 4, ".zst") == 0) name[length - 4] = '\0';
    char *dot = strrchr(name, '.');
    if (dot && dot != name) *dot = '\0';
}

static const char *nameless(const struct release *release, const char *server) {
    if (release_has_states(release))
        return arguments_have(release->arguments, "--sums") ? "a file of sums has" : "a set of states has";
    return release_source_is_stream(release) ? "standard input has" : server;
}

static dpn_status name_dataset(struct release *release, dpn_error *why) {
    const char *given = arguments_value(release->arguments, "--dataset");
    const char *table = arguments_value(release->arguments, "--table");
    const char *name = given ? given : release_source_is_server(release) ? table : release_source_name(release);
    if (!given && (release_source_is_stream(release) || !name))
        return refuse(why, DPN_EPARSE, "--dataset is missing: %s no name of its own",
                      nameless(release, "a server without --table has"));
    if (!given && !name[0])
        return refuse(why, DPN_EIO, "'%.80s' names a directory: name a file, or what is registered", release->source);
    if (!name[0] || strlen(name) >= sizeof release->dataset)
        return refuse(why, DPN_EDOMAIN, "%s: the name of a data set must have 1 to %d bytes",
                      given ? "--dataset" : "the data", DPN_LEDGER_NAME_SIZE - 1);
    memcpy(release->dataset, name, strlen(name) + 1);
    if (!given && !release_source_is_server(release)) cut_extensions(release->dataset);
    return DPN_OK;
}

bool release_ledger_beside(char out[RELEASE_PATH_SIZE], const char *file) {
    const char *slash = strrchr(file, '/');
    int length = snprintf(out, RELEASE_PATH_SIZE, "%.*sdpnoise-ledger.db", slash ? (int)(slash - file) + 1 : 0, file);
    return length >= 0 && length < RELEASE_PATH_SIZE;
}

/* Beside the data, so that who finds the one finds the other; beside the file itself and not beside a link to it. */
static dpn_status place_beside(struct release *release, dpn_error *why) {
    char real[RELEASE_PATH_SIZE];
    dpn_table_identity identity;
    bool fits = release_ledger_beside(release->ledger, release_file(release));
    if (fits && !dpn_table_identify_path(&identity, release_file(release), NULL)) {
        fits = release_ledger_beside(real, identity.path);
        dpn_table_identity_free(&identity);
        if (fits && !guard_same(release->ledger, real)) memcpy(release->ledger, real, sizeof real);
    }
    return fits ? DPN_OK : refuse(why, DPN_EPARSE, "the name of the data is too long");
}

static dpn_status place_ledger(struct release *release, dpn_error *why) {
    bool server = release_source_is_server(release), stream = release_source_is_stream(release);
    dpn_status status = server || stream ? DPN_OK : place_beside(release, why);
    if (release->ledger[0]) release->budget.path = release->ledger;
    if (!status) status = budget_places(&release->budget, why);
    if (status || release->budget.said || (!server && !stream)) return status;
    if (arguments_have(release->arguments, "--check")) return DPN_OK;
    return refuse(why, DPN_EPARSE, "--ledger is missing: %s no place beside which its ledger could be",
                  nameless(release, "a server has"));
}

static dpn_status name_user(struct release *release, dpn_error *why) {
    const char *user = arguments_value(release->arguments, "--user");
    if (user && (!user[0] || strlen(user) >= sizeof release->user))
        return refuse(why, DPN_EDOMAIN, "--user must have 1 to %d bytes", DPN_LEDGER_NAME_SIZE - 1);
    if (user)
        memcpy(release->user, user, strlen(user) + 1);
    else
        budget_user(release->user);
    return DPN_OK;
}

/* Words for the record, as the ledger takes them: they are refused before a ledger is made. */
static dpn_status check_words(const char *what, const char *text, size_t most, dpn_error *why) {
    if (!text) return DPN_OK;
    if (strlen(text) > most) return refuse(why, DPN_EDOMAIN, "%s has more than %zu bytes", what, most);
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            return refuse(why, DPN_EDOMAIN, "%s holds a control character", what);
    return DPN_OK;
}

/* ---- What must not be taken for public, or written over ---- */

dpn_status release_check_input(const struct release *release, const char *option, const char *name, dpn_error *why) {
    return guard_read(option, name, release_source_is_server(release) ? NULL : release_file(release), why);
}

/* A report in the place of the data or of the ledger would be the end of them. */
static dpn_status check_output(const struct release *release, const char *option, dpn_error *why) {
    const char *name = arguments_value(release->arguments, option);
    bool file = !release_source_is_stream(release) && !release_source_is_server(release);
    const char *const kept[][2] = {{"the data", file ? release_file(release) : NULL},
                                   {"the ledger", release->budget.path},
                                   {"the ledger's key", release->budget.key}};
    for (size_t i = 0; name && i < sizeof kept / sizeof *kept; i++)
        if (kept[i][1] && guard_same_database(name, kept[i][1]))
            return refuse(why, DPN_EPARSE, "%s would write over %s", option, kept[i][0]);
    return DPN_OK;
}

/* The same for the data and logs of all data sets in the ledger, now that it is open. */
dpn_status release_check_files(const struct release *release, dpn_error *why) {
    static const struct {
        const char *option;
        enum kept_use use;
    } file[] = {{"--report", KEPT_WRITTEN},
                {"--plot", KEPT_WRITTEN},
                {"--save-spec", KEPT_WRITTEN},
                {"--spec", KEPT_READ},
                {"--tune", KEPT_READ}};
    const struct arguments *arguments = release->arguments;
    dpn_ledger *ledger = release->budget.ledger;
    dpn_status status = DPN_OK;
    if (!ledger) return DPN_OK;
    for (size_t i = 0; i < sizeof file / sizeof *file && !status; i++)
        status = kept_check(ledger, file[i].option, arguments_value(arguments, file[i].option), file[i].use, why);
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        char column[1024];
        if (strcmp(arguments->given[i].option->name, "--levels") != 0) continue;
        const char *list = levels_column(column, sizeof column, arguments->given[i].value);
        if (list && list[0] == '@') status = kept_check(ledger, "--levels", list + 1, KEPT_READ, why);
    }
    return status;
}

static dpn_status check_outputs(const struct release *release, dpn_error *why) {
    const char *report = arguments_value(release->arguments, "--report");
    const char *saved = arguments_value(release->arguments, "--save-spec");
    const char *read = arguments_value(release->arguments, "--spec");
    dpn_status status = check_output(release, "--report", why);
    if (!status) status = check_output(release, "--plot", why);
    if (!status) status = check_output(release, "--save-spec", why);
    if (status || !report) return status;
    if ((saved && guard_same(report, saved)) || (read && guard_same(report, read)))
        return refuse(why, DPN_EPARSE, "--report would write over the specification");
    return DPN_OK;
}

dpn_status release_names(struct release *release, dpn_error *why) {
    dpn_status status = release->by_name ? DPN_OK : name_dataset(release, why);
    if (!status) status = name_user(release, why);
    if (!status) status = check_words("the name of the data set", release->dataset, DPN_LEDGER_NAME_SIZE - 1, why);
    if (!status) status = check_words("--user", release->user, DPN_LEDGER_NAME_SIZE - 1, why);
    if (!status)
        status = check_words("--note", arguments_value(release->arguments, "--note"), DPN_LEDGER_NOTE_SIZE - 1, why);
    if (!status && !release->by_name) status = place_ledger(release, why);
    return status ? status : check_outputs(release, why);
}
