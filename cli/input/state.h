/* Files with the state of a tally, and the secret of its lottery. */
#ifndef DPNOISE_CLI_INPUT_STATE_H
#define DPNOISE_CLI_INPUT_STATE_H

#include "kit/options.h"

#include <dpnoise/statistics.h>

/* Such a file: a line that says what it is, a line with the declaration that was tallied, and the state. What a program wrote with
 * dpn_tally_write alone is one too; then there is no declaration. */
struct state_file {
    const char *name;
    char *bytes;
    size_t length;
    const char *spec; /* NULL: none */
    size_t spec_length;
    const unsigned char *state;
    size_t state_length;
};

/* Read one. Release with state_free, which wipes it: it is raw data.
 * Errors   DPN_EIO, DPN_EPARSE, DPN_ENOMEM. */
dpn_status state_read(struct state_file *out, const char *name, dpn_error *why);
void state_free(struct state_file *file);

/* All operands, of which none may be the same file as another. Release with states_free, also after an error.
 * Errors   those of state_read; DPN_EPARSE. */
struct state_files {
    struct state_file *file;
    size_t files;
};
dpn_status states_read(struct state_files *out, const struct arguments *arguments, dpn_error *why);
void states_free(struct state_files *files);

/* Write what a tally holds, for its owner alone, to the file of -o.
 * Errors   those of dpn_tally_write; DPN_EIO. */
dpn_status state_write(const struct arguments *arguments, dpn_tally *tally, const char *spec, dpn_error *why);

/* The file of -o must not be --spec, --secret or an operand, nor anything else that is there and is no state.
 * Errors   DPN_EPARSE. */
dpn_status state_check_output(const struct arguments *arguments, dpn_error *why);

/* Tell what -o was written to, and what it is; `more` follows it for people. */
void state_print(const struct arguments *arguments, const char *more);

/* The declaration of --spec, or of the first file that has one; its text, to be freed.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM. */
dpn_status state_declaration(dpn_declaration *out, char **text, const struct arguments *arguments,
                             const struct state_files *files, dpn_error *why);

/* The secret in the file of --secret: 64 hexadecimal digits, which --new-secret writes. *given is false without the option.
 * A file that others may read is refused.
 * Errors   DPN_EIO, DPN_EPARSE. */
dpn_status secret_read(dpn_tally_secret *out, bool *given, const struct arguments *arguments, dpn_error *why);
dpn_status secret_make(const struct arguments *arguments, dpn_error *why);

/* Where persons are cut by lot the lots of all parts have to be the same ones.
 * Errors   DPN_EPARSE. */
dpn_status secret_check(const dpn_declaration *declaration, bool given, dpn_error *why);

#endif
