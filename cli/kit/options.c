/* The words after a command. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "kit/options.h"

#include "kit/fail.h"
#include "kit/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option common_options[] = {
    {"--json", NULL, false, "print one JSON object instead of text for people"},
    {"--help", NULL, false, "print this help"},
    {NULL, NULL, false, NULL},
};

static const struct option *find(const struct option *options, const char *name, size_t length) {
    for (; options->name; options++)
        if (strlen(options->name) == length && memcmp(options->name, name, length) == 0) return options;
    return NULL;
}

static dpn_status unknown(const struct option *options, const char *word, size_t length, dpn_error *why) {
    struct nearest search = nearest_to(word, length);
    for (const struct option *o = options; o->name; o++) nearest_try(&search, o->name);
    for (const struct option *o = common_options; o->name; o++) nearest_try(&search, o->name);
    int shown = length > 40 ? 40 : (int)length;
    if (search.name) return refuse(why, DPN_EPARSE, "unknown option %.*s; did you mean %s?", shown, word, search.name);
    return refuse(why, DPN_EPARSE, "unknown option %.*s", shown, word);
}

/* Read the option at argv[*i]; *i moves to its value if that is a word of its own. */
static dpn_status read_option(struct arguments *out, const struct option *options, int argc, char **argv, int *i,
                              dpn_error *why) {
    const char *word = argv[*i];
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    const struct option *option = find(options, word, length);
    if (!option) option = find(common_options, word, length);
    if (!option) return unknown(options, word, length, why);
    if (!option->repeats && arguments_have(out, option->name))
        return refuse(why, DPN_EPARSE, "%s is given twice", option->name);
    if (!option->value && value) return refuse(why, DPN_EPARSE, "%s takes no value", option->name);
    if (option->value && !value) {
        if (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0)
            return refuse(why, DPN_EPARSE, "%s needs a value: %s %s", option->name, option->name, option->value);
        value = argv[++*i];
    }
    out->given[out->givens++] = (struct given){option, value};
    return DPN_OK;
}

dpn_status arguments_read(struct arguments *out, const struct option *options, int argc, char **argv, dpn_error *why) {
    size_t room = (size_t)argc + 1;
    struct arguments read = {calloc(room, sizeof *read.operand), 0, calloc(room, sizeof *read.given), 0};
    dpn_status status = read.operand && read.given ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    bool only_operands = false;
    for (int i = 0; i < argc && !status; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0)
            only_operands = true;
        else if (only_operands || argv[i][0] != '-' || !argv[i][1])
            read.operand[read.operands++] = argv[i];
        else
            status = read_option(&read, options, argc, argv, &i, why);
    }
    if (status)
        arguments_free(&read);
    else
        *out = read;
    return status;
}

void arguments_free(struct arguments *arguments) {
    free(arguments->operand);
    free(arguments->given);
}

const char *arguments_value(const struct arguments *arguments, const char *name) {
    for (size_t i = 0; i < arguments->givens; i++)
        if (strcmp(arguments->given[i].option->name, name) == 0) return arguments->given[i].value;
    return NULL;
}

bool arguments_have(const struct arguments *arguments, const char *name) {
    for (size_t i = 0; i < arguments->givens; i++)
        if (strcmp(arguments->given[i].option->name, name) == 0) return true;
    return false;
}

dpn_status arguments_choice(size_t *out, const struct arguments *arguments, const char *name, const char *const *words,
                            dpn_error *why) {
    const char *value = arguments_value(arguments, name);
    if (!value) return DPN_OK;
    char all[120] = "";
    for (size_t i = 0; words[i]; i++) {
        if (strcmp(words[i], value) == 0) {
            *out = i;
            return DPN_OK;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    }
    return refuse(why, DPN_EPARSE, "%s must be %s, not '%.40s'", name, all, value);
}

dpn_status arguments_take(char **out, const struct arguments *arguments, const char *name, dpn_error *why) {
    const char *value = arguments_value(arguments, name);
    if (!value) return DPN_OK;
    if (!value[0]) return refuse(why, DPN_EPARSE, "%s is empty", name);
    char *copy = strdup(value);
    if (!copy) return refuse(why, DPN_ENOMEM, "out of memory");
    free(*out);
    *out = copy;
    return DPN_OK;
}
