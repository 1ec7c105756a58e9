/* The words after a command: options as --name value or --name=value, operands, and -- after which all are operands.
 *
 * A command lists its options in a table; the same table prints its help. --json and --help are known to every command.
 * A value that begins with -- must be written --name=value: a forgotten value never swallows the next option. */
#ifndef DPNOISE_CLI_KIT_OPTIONS_H
#define DPNOISE_CLI_KIT_OPTIONS_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct option {
    const char *name;  /* "--at"; NULL ends the table */
    const char *value; /* what the help calls its value, NULL if it takes none */
    bool repeats;      /* whether it may be given more than once */
    const char *help;  /* one line, or several separated by newlines */
};

/* What every command takes. */
extern const struct option common_options[];

struct given {
    const struct option *option;
    const char *value;
};

struct arguments {
    const char **operand;
    size_t operands;
    struct given *given;
    size_t givens;
};

/* Read the words. Everything in *out points into argv or is released by arguments_free.
 * Errors   DPN_EPARSE, DPN_ENOMEM; then nothing needs to be released. */
dpn_status arguments_read(struct arguments *out, const struct option *options, int argc, char **argv, dpn_error *why);
void arguments_free(struct arguments *arguments);

bool arguments_have(const struct arguments *arguments, const char *name);

/* The value of an option that does not repeat, NULL if it was not given. */
const char *arguments_value(const struct arguments *arguments, const char *name);

/* A copy of that value in the place of *out, which is freed; nothing is done if the option was not given.
 * Errors   DPN_EPARSE for an empty value, DPN_ENOMEM; then *out is as before. */
dpn_status arguments_take(char **out, const struct arguments *arguments, const char *name, dpn_error *why);

/* The numbers that an option was given, each value being one number or several separated by commas. */
struct numbers {
    double *at;
    size_t count;
};

/* Which numbers an option takes, and which double stands for a decimal that is not a double: the nearest, the largest not
 * above it or the smallest not below it. */
enum number_kind {
    NUMBER_FINITE,
    NUMBER_OR_INFINITE,
    NUMBER_PROBABILITY,
    NUMBER_NOT_ABOVE,
    NUMBER_NOT_BELOW,
    NUMBER_FINITE_UP
};

/* Read them in the order given. Release with free(out->at).
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM; the sentence names the option. */
dpn_status arguments_numbers(struct numbers *out, const struct arguments *arguments, const char *name,
                             enum number_kind kind, dpn_error *why);

/* Three doubles for each decimal that an option was given, which may be infinite: the nearest and the two around it. */
struct decimals {
    struct numbers nearest, below, above; /* each as many */
};

/* Read them. Release with decimals_free, also after an error. Errors as above. */
dpn_status arguments_decimals(struct decimals *out, const struct arguments *arguments, const char *name,
                              dpn_error *why);
void decimals_free(struct decimals *decimals);

/* The value of an option that takes one number and does not repeat; *out stays as it is if the option was not given.
 * Errors as above. */
dpn_status arguments_number(double *out, const struct arguments *arguments, const char *name, dpn_error *why);

/* A whole number from 1 to 1e18, in digits or as 1e9, exactly.
 * Errors   DPN_EPARSE, DPN_EDOMAIN. */
dpn_status read_count(uint64_t *out, const char *text, dpn_error *why);
dpn_status arguments_count(uint64_t *out, const struct arguments *arguments, const char *name, dpn_error *why);

/* A number of bytes: such a whole number, or one with K, M or G after it for so many times 1024, 1024^2 or 1024^3. Errors as above. */
dpn_status arguments_bytes(uint64_t *out, const struct arguments *arguments, const char *name, dpn_error *why);

/* Which of these words, a list ended by NULL, an option was given; *out stays as it is if it was not given.
 * Errors   DPN_EPARSE. */
dpn_status arguments_choice(size_t *out, const struct arguments *arguments, const char *name, const char *const *words,
                            dpn_error *why);

#endif
