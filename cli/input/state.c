/* Files with the state of a tally, and the secret of its lottery. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "input/state.h"

#include "kit/draft.h"
#include "kit/fail.h"
#include "kit/json.h"
#include "kit/file.h"
#include "kit/guard.h"

#include <dpnoise/random.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char first_line[] = "dpnoise state, raw data for the curator alone\n";
static const char state_word[] = "dpntally"; /* with which all begins that dpn_tally_write makes */

/* ---- One file ---- */

/* As an aggregate of SQL gives it: four bytes that tell the length of the question, which lacks its last bracket, the question and the state. The bracket is
 * put where the question ends, one byte nearer to the beginning. */
static bool take_aggregate(struct state_file *file) {
    enum { HEAD = 4, MOST_QUESTION = 1 << 16 };
    unsigned char *byte = (unsigned char *)file->bytes;
    size_t length = 0, word = sizeof state_word - 1;
    if (file->length < HEAD + word) return false;
    for (int i = 0; i < HEAD; i++) length = length << 8 | byte[i];
    if (length == 0 || length > MOST_QUESTION || length > file->length - HEAD - word || byte[HEAD] != '{' ||
        memcmp(byte + HEAD + length, state_word, word) != 0)
        return false;
    memmove(byte + HEAD - 1, byte + HEAD, length);
    byte[HEAD - 1 + length] = '}';
    file->spec = file->bytes + HEAD - 1;
    file->spec_length = length + 1;
    file->state = byte + HEAD + length;
    file->state_length = file->length - HEAD - length;
    return true;
}

static dpn_status take_apart(struct state_file *file, dpn_error *why) {
    if (take_aggregate(file)) return DPN_OK;
    size_t head = sizeof first_line - 1;
    bool made = file->length > head && memcmp(file->bytes, first_line, head) == 0;
    const char *spec = made ? file->bytes + head : file->bytes;
    const char *end = made ? memchr(spec, '\n', file->length - head) : file->bytes;
    if (!end) return refuse(why, DPN_EPARSE, "'%.80s' is cut off", file->name);
    const char *state = made ? end + 1 : file->bytes;
    if (made) file->spec = spec, file->spec_length = (size_t)(end - spec);
    file->state = (const unsigned char *)state;
    file->state_length = file->length - (size_t)(state - file->bytes);
    size_t word = sizeof state_word - 1;
    if (!made && (file->length < word || memcmp(state, state_word, word) != 0))
        return refuse(why, DPN_EPARSE, "'%.80s' is no state: dpnoise tally makes them", file->name);
    return DPN_OK;
}

dpn_status state_read(struct state_file *out, const char *name, dpn_error *why) {
    struct state_file file = {.name = name};
    dpn_status status = file_read(&file.bytes, &file.length, name, SIZE_MAX / 4, "", why);
    if (!status && file.length == 0) status = refuse(why, DPN_EPARSE, "'%.80s' is empty", name);
    if (!status) status = take_apart(&file, why);
    if (status)
        state_free(&file);
    else
        *out = file;
    return status;
}

void state_free(struct state_file *file) {
    if (file->bytes) explicit_bzero(file->bytes, file->length);
    free(file->bytes);
    *file = (struct state_file){.name = NULL};
}

/* ---- Several ---- */

/* Two names of one file would count its rows twice. Files with the same bytes may be two parts that hold the same. */
static dpn_status check_twice(const struct arguments *arguments, size_t i, dpn_error *why) {
    for (size_t j = 0; j < i; j++)
        if (guard_same(arguments->operand[i], arguments->operand[j]))
            return refuse(why, DPN_EPARSE, "'%.80s' and '%.80s' are the same file: its rows would count twice",
                          arguments->operand[j], arguments->operand[i]);
    return DPN_OK;
}

dpn_status states_read(struct state_files *out, const struct arguments *arguments, dpn_error *why) {
    dpn_status status = DPN_OK;
    out->file = calloc(arguments->operands + 1, sizeof *out->file);
    if (!out->file) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < arguments->operands && !status; i++) {
        status = check_twice(arguments, i, why);
        if (!status) status = state_read(&out->file[i], arguments->operand[i], why);
        if (!status) out->files++;
    }
    return status;
}

void states_free(struct state_files *files) {
    for (size_t i = 0; i < files->files; i++) state_free(&files->file[i]);
    free(files->file);
    *files = (struct state_files){.file = NULL};
}

/* ---- Writing ---- */

/* What is there and is no state is something else that was meant to be kept; an empty file is not. What cannot be read is told when it is written. */
static dpn_status check_replaced(const char *out, dpn_error *why) {
    struct stat there;
    char begin[sizeof first_line];
    size_t word = sizeof state_word - 1, head = sizeof first_line - 1;
    if (strcmp(out, "-") == 0)
        return refuse(why, DPN_EPARSE, "-o -: a state is raw data and goes to a file, for its owner alone; ./- is one");
    FILE *file = stat(out, &there) == 0 && S_ISREG(there.st_mode) ? fopen(out, "rb") : NULL;
    if (!file) return DPN_OK;
    size_t length = fread(begin, 1, sizeof begin, file);
    fclose(file);
    if (length == 0 || (length >= head && memcmp(begin, first_line, head) == 0) ||
        (length >= word && memcmp(begin, state_word, word) == 0))
        return DPN_OK;
    return refuse(why, DPN_EPARSE, "-o: '%.80s' is there and is no state: it is not written over", out);
}

dpn_status state_check_output(const struct arguments *arguments, dpn_error *why) {
    static const char *const read[][2] = {{"--spec", "the specification"}, {"--secret", "the secret"}};
    const char *out = arguments_value(arguments, "-o");
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        const char *name = arguments_value(arguments, read[i][0]);
        if (name && guard_same(out, name)) return refuse(why, DPN_EPARSE, "-o would write over %s", read[i][1]);
    }
    for (size_t i = 0; i < arguments->operands; i++)
        if (guard_same(out, arguments->operand[i]))
            return refuse(why, DPN_EPARSE, "-o would write over '%.80s', which is read", arguments->operand[i]);
    return check_replaced(out, why);
}

dpn_status state_write(const struct arguments *arguments, dpn_tally *tally, const char *spec, dpn_error *why) {
    unsigned char *state = NULL;
    size_t length = 0;
    struct draft draft;
    dpn_status status = dpn_tally_write(&state, &length, tally, why);
    if (!status) {
        status = draft_begin(&draft, "-o", arguments_value(arguments, "-o"), why);
        draft.secret = true;
        if (!status) status = draft_write(&draft, first_line, sizeof first_line - 1, why);
        if (!status) status = draft_write(&draft, spec, strlen(spec), why);
        if (!status) status = draft_write(&draft, "\n", 1, why);
        if (!status) status = draft_write(&draft, state, length, why);
        if (!status) status = draft_publish(&draft, why);
    }
    dpn_tally_state_free(state, length);
    return status;
}

/* ---- What was tallied ---- */

static dpn_status read_spec(char **text, size_t *length, const char *name, dpn_error *why) {
    dpn_status status = guard_read("--spec", name, NULL, why);
    if (!status) status = file_read(text, length, name, FILE_MOST, "--spec: ", why);
    if (!status && *length > FILE_MOST) status = refuse(why, DPN_EIO, "--spec: '%.80s' is longer than 64 MiB", name);
    return status;
}

void state_print(const struct arguments *arguments, const char *more) {
    const char *name = arguments_value(arguments, "-o");
    if (arguments_have(arguments, "--json")) {
        struct json object = json_begin(stdout);
        json_string(&object, "state", name);
        json_bool(&object, "private", false);
        json_end(&object);
        return;
    }
    printf("%s: raw data for the curator alone, like the table itself%s\n", name, more);
}

dpn_status state_declaration(dpn_declaration *out, char **text, const struct arguments *arguments,
                             const struct state_files *files, dpn_error *why) {
    const char *name = arguments_value(arguments, "--spec");
    char *read = NULL;
    const char *spec = NULL;
    size_t length = 0;
    dpn_error reason;
    dpn_status status = name ? read_spec(&read, &length, name, why) : DPN_OK;
    if (name) spec = read;
    for (size_t i = 0; !spec && files && i < files->files; i++)
        if (files->file[i].spec) spec = files->file[i].spec, length = files->file[i].spec_length;
    if (!status && !spec)
        status =
            refuse(why, DPN_EPARSE, "--spec is missing: the declaration, as dpnoise release --save-spec writes it");
    if (!status) {
        status = dpn_declaration_read(out, spec, length, &reason);
        if (status) status = refuse(why, status, "--spec: %.200s", reason.sentence);
        if (!status) status = dpn_declaration_write(text, NULL, out, why);
    }
    free(read);
    return status;
}

/* ---- The secret ---- */

enum { DIGITS = 2 * DPN_TALLY_SECRET_SIZE };

static int digit(char letter) {
    return letter >= '0' && letter <= '9' ? letter - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* As of a ledger's key: who reads it can tell which rows of a person count. */
static dpn_status check_mode(const char *name, dpn_error *why) {
    struct stat there;
    if (stat(name, &there) != 0 || (there.st_mode & (S_IRWXG | S_IRWXO)) == 0)
        return DPN_OK; /* reading tells why not */
    return refuse(why, DPN_EIO, "--secret: '%.80s' is open to others than its owner; chmod 600 it, or make another",
                  name);
}

dpn_status secret_read(dpn_tally_secret *out, bool *given, const struct arguments *arguments, dpn_error *why) {
    const char *name = arguments_value(arguments, "--secret");
    char *text = NULL;
    size_t length = 0;
    *given = name != NULL;
    if (!name) return DPN_OK;
    dpn_status status = check_mode(name, why);
    if (!status) status = file_read(&text, &length, name, 2 * DIGITS, "--secret: ", why);
    if (status) return status;
    bool good = length == DIGITS || (length == DIGITS + 1 && text[DIGITS] == '\n');
    for (size_t i = 0; good && i < DIGITS; i++) good = digit(text[i]) >= 0;
    for (size_t i = 0; good && i < DPN_TALLY_SECRET_SIZE; i++)
        out->byte[i] = (unsigned char)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    if (text) explicit_bzero(text, length);
    free(text);
    return good ? DPN_OK
                : refuse(why, DPN_EPARSE,
                         "--secret: '%.80s' does not hold 64 hexadecimal digits: dpnoise tally --new-secret makes one",
                         name);
}

dpn_status secret_make(const struct arguments *arguments, dpn_error *why) {
    const char *name = arguments_value(arguments, "--new-secret");
    dpn_tally_secret secret;
    dpn_rng *rng = NULL;
    struct draft draft;
    struct stat there;
    char text[DIGITS + 2];
    if (stat(name, &there) == 0)
        return refuse(why, DPN_EIO, "--new-secret: '%.80s' is there already, and states may have been made with it",
                      name);
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_tally_secret_new(&secret, rng, why);
    dpn_rng_free(rng);
    if (!status) status = draft_begin(&draft, "--new-secret", name, why);
    if (status) return status;
    draft.secret = true;
    for (size_t i = 0; i < DPN_TALLY_SECRET_SIZE; i++) snprintf(text + 2 * i, 3, "%02x", secret.byte[i]);
    memcpy(text + DIGITS, "\n", 2);
    status = draft_write(&draft, text, DIGITS + 1, why);
    explicit_bzero(text, sizeof text);
    explicit_bzero(&secret, sizeof secret);
    return status ? status : draft_publish(&draft, why);
}

dpn_status secret_check(const dpn_declaration *declaration, bool given, dpn_error *why) {
    if (!declaration->person || given) return DPN_OK;
    return refuse(why, DPN_EPARSE,
                  "--secret is missing: rows of persons are chosen by lot, and all parts have to draw the same lots");
}
