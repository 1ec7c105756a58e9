/* Words as they are typed in a shell. */
#include "release/declare/words.h"

#include "base/error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static char *skip_blanks(char *s) {
    while (is_blank(*s)) s++;
    return s;
}

/* Undo the quotes of a word that starts with one. Returns what follows them, NULL if they are not closed. */
static char *unquote(char *word) {
    char *to = word, *from = word + 1;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        if (*from == '"') from++;
        *to++ = *from;
    }
    if (!*from) return NULL;
    *to = '\0'; /* at or before the closing quote */
    return from + 1;
}

dpn_status dpn_word_take(char **word, char *after, char **at, const char *separators, dpn_error *why) {
    char *start = skip_blanks(*at), *end;
    if (*start == '"') {
        end = unquote(start);
        if (!end) return dpn_fail(why, DPN_EPARSE, "a double quote is not closed");
        end = skip_blanks(end);
        if (*end && !strchr(separators, *end))
            return dpn_fail(why, DPN_EPARSE,
                            "something follows a closing quote; within quotes a quote is written twice");
        *after = *end;
    } else {
        end = start + strcspn(start, separators);
        char *last = end;
        while (last > start && is_blank(last[-1])) last--;
        if (memchr(start, '"', (size_t)(last - start)))
            return dpn_fail(why, DPN_EPARSE, "a word holds a double quote; quote the whole word, and write it twice");
        *after = *end; /* which may become the zero of the word */
        *last = '\0';
    }
    *word = start;
    *at = end;
    return DPN_OK;
}

dpn_status dpn_words_split(dpn_words *out, const char *text, const char *separators, dpn_error *why) {
    size_t length = strlen(text), most = 1;
    for (size_t i = 0; i < length; i++) most += strchr(separators, text[i]) != NULL;
    dpn_words words = {malloc(length + 1), malloc(most * sizeof *words.word), 0};
    if (!words.copy || !words.word) {
        dpn_words_free(&words);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the declaration");
    }
    memcpy(words.copy, text, length + 1);
    dpn_status status = DPN_OK;
    char *at = words.copy;
    for (bool more = true; more && !status; at++) {
        dpn_word *word = &words.word[words.count++];
        status = dpn_word_take(&word->text, &word->after, &at, separators, why);
        more = !status && word->after;
    }
    if (status)
        dpn_words_free(&words);
    else
        *out = words;
    return status;
}

void dpn_words_free(dpn_words *words) {
    free(words->copy);
    free(words->word);
    *words = (dpn_words){0};
}
