/* Fields that are missing and rows that cannot be used: the public rule. */
#include "release/declare/declaration.h"
#include "release/declare/repeats.h"
#include "release/declare/words.h"

#include "base/error.h"
#include "base/text/excerpt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char value_word[] = "value:";
enum { VALUE_WORD = sizeof value_word - 1 };

/* ---- The rule as a text ---- */

dpn_status dpn_missing_read(dpn_missing *out, char **value, const char *text, dpn_error *why) {
    char *number = NULL;
    dpn_missing read;
    if (strcmp(text, "refuse") == 0) {
        read = DPN_MISSING_REFUSE;
    } else if (strcmp(text, "skip") == 0) {
        read = DPN_MISSING_SKIP;
    } else if (strncmp(text, value_word, VALUE_WORD) == 0) {
        dpn_status status = dpn_number_copy(&number, text + VALUE_WORD, false, why);
        if (status) return status;
        read = DPN_MISSING_VALUE;
    } else {
        return dpn_fail(why, DPN_EPARSE, "skip, or value: and a number, is expected, as value:0");
    }
    *out = read;
    free(*value);
    *value = number;
    return DPN_OK;
}

dpn_status dpn_missing_check(const dpn_declaration *declaration, dpn_error *why) {
    dpn_signed number;
    dpn_error reason;
    char shown[DPN_SHOWN_SIZE];
    switch (declaration->missing) {
    case DPN_MISSING_REFUSE:
        return dpn_fail(
            why, DPN_EDOMAIN,
            "missing: refuse is no longer possible, because a release that fails tells about a row; say skip "
            "to leave out rows that cannot be used, or value:0 to put a number in their place");
    case DPN_MISSING_SKIP:
        break;
    case DPN_MISSING_VALUE:
        if (!declaration->missing_value) return dpn_fail(why, DPN_EDOMAIN, "missing: the value is missing");
        if (dpn_signed_read(&number, declaration->missing_value, &reason))
            return dpn_fail(why, reason.status, "missing: value: %s", reason.sentence);
        break;
    default:
        return dpn_fail(why, DPN_EDOMAIN, "missing: it must be skip, or value: and a number");
    }
    if (declaration->nas > DPN_DECLARATION_NAS)
        return dpn_fail(why, DPN_EDOMAIN, "na: there are more than %d words", DPN_DECLARATION_NAS);
    for (size_t i = 0; i < declaration->nas; i++) {
        dpn_status status = dpn_name_check(declaration->na[i], "na: a word", why);
        if (status) return status;
    }
    size_t repeated;
    dpn_status status = dpn_repeated_text(&repeated, declaration->na, declaration->nas, why);
    if (status || repeated == SIZE_MAX) return status;
    return dpn_fail(why, DPN_EDOMAIN, "na: '%s' is given twice", dpn_show(shown, declaration->na[repeated]));
}

/* ---- As they are typed in a shell ---- */

dpn_status dpn_declare_missing(dpn_declaration *declaration, const char *text, dpn_error *why) {
    dpn_error reason;
    char shown[DPN_SHOWN_SIZE];
    dpn_status status = dpn_missing_read(&declaration->missing, &declaration->missing_value, text, &reason);
    if (!status) declaration->unsaid &= ~(unsigned)DPN_UNSAID_MISSING;
    return status ? dpn_fail(why, status, "missing '%s': %s", dpn_show(shown, text), reason.sentence) : DPN_OK;
}

static dpn_status append_words(dpn_declaration *declaration, const dpn_words *words, dpn_error *why) {
    size_t before = declaration->nas;
    char **na = realloc(declaration->na, (before + words->count) * sizeof *na);
    if (!na) return dpn_fail(why, DPN_ENOMEM, "no memory for the declaration");
    declaration->na = na;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < words->count && !status; i++) {
        status = dpn_name_check(words->word[i].text, "a word", why);
        if (!status) status = dpn_text_copy(&na[before + i], words->word[i].text, why);
        if (!status) declaration->nas++;
    }
    while (status && declaration->nas > before) free(na[--declaration->nas]);
    return status;
}

dpn_status dpn_declare_na(dpn_declaration *declaration, const char *text, dpn_error *why) {
    dpn_words words;
    dpn_error reason;
    char shown[DPN_SHOWN_SIZE];
    dpn_status status = dpn_words_split(&words, text, ",", &reason);
    if (!status) {
        status = append_words(declaration, &words, &reason);
        dpn_words_free(&words);
    }
    if (status == DPN_ENOMEM) return dpn_fail(why, status, "no memory for the declaration");
    return status ? dpn_fail(why, DPN_EPARSE, "na '%s': %s", dpn_show(shown, text), reason.sentence) : DPN_OK;
}
