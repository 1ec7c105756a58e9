/* Words as they are typed in a shell, between separators; in double quotes if they hold one.
 *
 * Blanks around a word are dropped, those within quotes stay; a quote within quotes is written twice. */
#ifndef DPN_DECLARE_WORDS_H
#define DPN_DECLARE_WORDS_H

#include <dpnoise/status.h>
#include <stddef.h>

/* Take the word at *at, up to one of the separators or the end. The text is changed: the word ends in a zero, its
 * quotes are undone. *at becomes the separator, or the end; *after is that character, 0 at the end.
 * Errors   DPN_EPARSE for quotes that are not closed, or that are only a part of the word. */
dpn_status dpn_word_take(char **word, char *after, char **at, const char *separators, dpn_error *why);

typedef struct dpn_word {
    char *text;
    char after; /* the separator that follows it, 0 for the last */
} dpn_word;

/* All words of a text, at least one. Zero-initialise; dpn_words_free releases it. */
typedef struct dpn_words {
    char *copy;
    dpn_word *word;
    size_t count;
} dpn_words;

/* Errors   DPN_EPARSE, DPN_ENOMEM. On error *out is not written. */
dpn_status dpn_words_split(dpn_words *out, const char *text, const char *separators, dpn_error *why);
void dpn_words_free(dpn_words *words);

#endif
