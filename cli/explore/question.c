/* Which command lines a page may ask. */
#include "explore/explore.h"

#include "kit/fail.h"

#include <stdbool.h>
#include <string.h>

static const char *const commands[] = {"law", "profile", "calibrate", "compare", "renyi", "convert", NULL};

/* Numbers and words alone: none of these names a file, a data set or a ledger. */
static const char *const options[] = {
    "--at",          "--prob",          "--list",      "--epsilon",   "--delta",    "--mse",
    "--sensitivity", "--dim",           "--l1",        "--l2",        "--linf",     "--max-changed",
    "--histogram",   "--sensitivities", "--relation",  "--law",       "--pure",     "--times",
    "--sample-rate", "--steps",         "--objective", "--order",     "--accuracy", "--guarantee",
    "--batch",       "--population",    "--shape",     "--condition", NULL};

static bool is_among(const char *const *list, const char *word, size_t length) {
    for (; *list; list++)
        if (strlen(*list) == length && memcmp(*list, word, length) == 0) return true;
    return false;
}

dpn_status question_begin(struct asked_words *out, const char *command, dpn_error *why) {
    *out = (struct asked_words){.words = 0};
    if (!is_among(commands, command, strlen(command)))
        return refuse(why, DPN_EPARSE, "a page cannot ask for '%.40s'", command);
    out->word[out->words++] = command;
    out->word[out->words++] = "--json";
    return DPN_OK;
}

dpn_status question_add(struct asked_words *question, const char *word, dpn_error *why) {
    static const char *const letters = "abcdefghijklmnopqrstuvwxyz0123456789(),=.+-";
    size_t name = strcspn(word, "=");
    if (question->words >= QUESTION_WORDS + 2)
        return refuse(why, DPN_EPARSE, "a question has at most %d words", QUESTION_WORDS);
    if (word[0] == '-' ? !is_among(options, word, name) : !word[0] || word[strspn(word, letters)])
        return refuse(why, DPN_EPARSE, "a page cannot ask with '%.40s'", word);
    if (word[0] == '-' && word[strspn(word, letters)])
        return refuse(why, DPN_EPARSE, "a page cannot ask with '%.40s'", word);
    question->word[question->words++] = word;
    return DPN_OK;
}
