/* States and sums that were made elsewhere, in the place of rows. */
#define _POSIX_C_SOURCE 200809L
#include "release/release.h"

#include "input/sums.h"
#include "kit/fail.h"

#include <dpnoise/place.h>
#include <stdlib.h>
#include <string.h>

/* What the ledger notes of states: the beginnings of their names. It keeps texts of up to 4095 bytes. */
enum { SHORT_NAME = 16, PLACE_SIZE = 4096 };
static const char place_word[] = "states";

bool release_has_states(const struct release *release) {
    return arguments_have(release->arguments, "--states") || arguments_have(release->arguments, "--sums");
}

dpn_status release_read_states(struct release *release, dpn_error *why) {
    static const char *const of_tables[] = {"--check", "--table", "--multiline"};
    const struct arguments *arguments = release->arguments;
    bool sums = arguments_have(arguments, "--sums");
    if (sums && (arguments->operands > 0 || arguments_have(arguments, "--states")))
        return refuse(why, DPN_EPARSE, "--sums stands in the place of the data: there are others too");
    if (arguments->operands == 0 && !sums)
        return refuse(why, DPN_EPARSE, "the states are missing: dpnoise release --states *.state --dataset people");
    for (size_t i = 0; i < sizeof of_tables / sizeof *of_tables; i++)
        if (arguments_have(arguments, of_tables[i]))
            return refuse(why, DPN_EPARSE, "%s is about a table, and these are %s", of_tables[i],
                          sums ? "sums" : "states");
    dpn_status status = secret_read(&release->secret, &release->has_secret, arguments, why);
    return status ? status : states_read(&release->states, arguments, why);
}

/* ---- Before the charge ---- */

static int compare(const void *one, const void *other) {
    return strcmp(one, other);
}

/* "states 0123456789abcdef ...", in their order: the same states are the same data, whatever their files are called. */
static dpn_status write_place(struct release *release, char (*name)[DPN_TALLY_STATE_NAME_SIZE], size_t names,
                              dpn_error *why) {
    size_t size = sizeof place_word + names * (SHORT_NAME + 1);
    if (size > PLACE_SIZE)
        return refuse(why, DPN_EDOMAIN, "a ledger notes up to %d states: dpnoise merge makes one of several",
                      (int)((PLACE_SIZE - sizeof place_word) / (SHORT_NAME + 1)) - 1);
    qsort(name, names, sizeof *name, compare);
    char *at = release->states_place = malloc(size);
    if (!at) return refuse(why, DPN_ENOMEM, "out of memory");
    at += sprintf(at, "%s", place_word);
    for (size_t i = 0; i < names; i++) at += sprintf(at, " %.*s", SHORT_NAME, name[i]);
    return DPN_OK;
}

/* The name of what dpnoise merge would make of them all: their rows, in one state. The tally takes them up. */
static dpn_status name_merged(char name[DPN_TALLY_STATE_NAME_SIZE], dpn_tally *tally, const struct state_files *states,
                              dpn_error *why) {
    unsigned char *merged = NULL;
    size_t length = 0;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < states->files && !status; i++)
        status = dpn_tally_add_state(tally, states->file[i].state, states->file[i].state_length, why);
    if (!status) status = dpn_tally_write(&merged, &length, tally, why);
    if (!status) status = dpn_tally_check_state(name, tally, merged, length, why);
    if (merged) memset(merged, 0, length);
    free(merged);
    return status;
}

/* Of several states those without rows have no name: they are of nobody, and each data set has such parts. At least one is left. */
static dpn_status leave_out_empty(size_t *names, char (*name)[DPN_TALLY_STATE_NAME_SIZE], dpn_tally *fresh,
                                  dpn_error *why) {
    char empty[DPN_TALLY_STATE_NAME_SIZE];
    unsigned char *state = NULL;
    size_t length = 0, left = 0;
    dpn_status status = dpn_tally_write(&state, &length, fresh, why);
    if (!status) status = dpn_tally_check_state(empty, fresh, state, length, why);
    dpn_tally_state_free(state, length);
    if (status) return status;
    for (size_t i = 0; i < *names; i++)
        if (strcmp(name[i], empty) != 0) memmove(name[left++], name[i], sizeof *name);
    *names = left > 0 ? left : 1;
    return DPN_OK;
}

/* Whether the states are whole, and those of this question. How many rows they have is not looked at. */
static dpn_status check_all(struct release *release, dpn_tally *tally, dpn_error *why) {
    const struct state_files *states = &release->states;
    bool several = states->files > 1;
    size_t names = states->files;
    char(*name)[DPN_TALLY_STATE_NAME_SIZE] = calloc(states->files + several, sizeof *name);
    dpn_error reason;
    dpn_status status = name ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < states->files && !status; i++) {
        const struct state_file *file = &states->file[i];
        status = dpn_tally_check_state(name[i], tally, file->state, file->state_length, &reason);
        if (status) status = refuse(why, status, "'%.80s': %.300s", file->name, reason.sentence);
    }
    if (!status && several) status = leave_out_empty(&names, name, tally, why);
    if (!status && several) status = name_merged(name[names++], tally, states, why);
    if (!status) status = write_place(release, name, names, why);
    free(name);
    return status;
}

/* Sums that an engine made are a state like others. */
static dpn_status take_sums(struct release *release, dpn_tally *tally, const dpn_query *query, dpn_error *why) {
    const char *name = arguments_value(release->arguments, "--sums");
    unsigned char *state = NULL;
    size_t length = 0;
    if (!name) return DPN_OK;
    dpn_status status = sums_read(tally, query, &release->declaration, name, why);
    if (!status) status = dpn_tally_write(&state, &length, tally, why);
    if (status) return status;
    release->states.file[0] = (struct state_file){
        .name = name, .bytes = (char *)state, .length = length, .state = state, .state_length = length};
    release->states.files = 1;
    return DPN_OK;
}

/* What the registration leaves of the question, which its states have to be of. Its limits are the question's to check. */
static dpn_status put_under_registration(struct release *release, dpn_error *why) {
    dpn_registration registration = {.columns = 0};
    bool known = false;
    if (!release->registered) return DPN_OK;
    dpn_status status =
        dpn_registration_find(&registration, &known, NULL, release->budget.ledger, release->dataset, why);
    if (!status && known) status = dpn_registration_apply(&release->declaration, &registration, why);
    dpn_registration_free(&registration);
    return status;
}

dpn_status release_check_states(struct release *release, dpn_error *why) {
    dpn_rng *rng = NULL;
    dpn_query *query = NULL;
    dpn_tally *tally = NULL;
    dpn_status status = put_under_registration(release, why);
    if (!status) status = secret_check(&release->declaration, release->has_secret, why);
    if (!status) status = dpn_query_new_shape(&query, &release->declaration, why);
    if (!status) status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_tally_new_with(&tally, query, release->has_secret ? &release->secret : NULL, rng, why);
    if (!status) status = take_sums(release, tally, query, why);
    if (!status) status = check_all(release, tally, why);
    dpn_tally_free(tally);
    dpn_query_free(query);
    dpn_rng_free(rng);
    return status;
}

dpn_status release_check_asked_states(const struct release *release, dpn_error *why) {
    dpn_rng *rng = NULL;
    dpn_error reason;
    if (!release->registered) return DPN_OK; /* nobody has changed the question since */
    dpn_status status = dpn_rng_new(&rng, why);
    for (size_t i = 0; i < release->states.files && !status; i++) {
        const struct state_file *file = &release->states.file[i];
        status = dpn_question_check_state(release->question, file->state, file->state_length, rng, &reason);
        if (status) status = refuse(why, status, "'%.80s': %.300s", file->name, reason.sentence);
    }
    dpn_rng_free(rng);
    return status;
}

/* A state that was answered for one data set is not answered for another, alone or beside others. */
bool release_states_are(const struct release *release, const dpn_place *other) {
    size_t word = sizeof place_word - 1;
    if (other->kind != DPN_PLACE_DECLARED || !other->what || strncmp(other->what, place_word, word) != 0) return false;
    for (const char *at = release->states_place + word; *at; at += 1 + SHORT_NAME) {
        char name[SHORT_NAME + 2];
        memcpy(name, at, SHORT_NAME + 1);
        name[SHORT_NAME + 1] = '\0';
        if (strstr(other->what, name)) return true;
    }
    return false;
}

/* ---- After the charge ---- */

dpn_status release_add_states(struct release *release, dpn_error *why) {
    dpn_tally *tally = dpn_question_tally(release->question);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < release->states.files && !status; i++)
        status = dpn_tally_add_state(tally, release->states.file[i].state, release->states.file[i].state_length, why);
    return status ? dpn_question_fail(release->question, why, why) : DPN_OK;
}
