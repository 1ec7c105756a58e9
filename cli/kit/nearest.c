/* The nearest name by the number of letters to insert, delete or replace (Levenshtein's distance). The beginning of a name is as
 * near as a name with one wrong letter: many tools take it for the name. */
#include "kit/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 64, SHORTEST_BEGINNING = 3 };

static size_t least(size_t a, size_t b, size_t c) {
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* row[j] is the distance between the first i letters of a and the first j of b. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[b_length];
}

/* Whether the name begins with the word, which has some letters besides its dashes. */
static bool begins(const char *name, const char *word, size_t length) {
    size_t dashes = strspn(word, "-");
    return length >= dashes + SHORTEST_BEGINNING && strncmp(name, word, length) == 0;
}

struct nearest nearest_to(const char *word, size_t length) {
    /* A third of the letters may be wrong, dashes not counted, and one more: a far-fetched guess helps nobody. */
    size_t dashes = strspn(word, "-"), letters = length > dashes ? length - dashes : 0;
    return (struct nearest){word, length, NULL, letters / 3 + 1};
}

void nearest_try(struct nearest *search, const char *name) {
    size_t length = strlen(name);
    if (search->length > LONGEST || length > LONGEST) return;
    size_t found = distance(search->word, search->length, name, length);
    if (found > 1 && begins(name, search->word, search->length)) found = 1;
    /* A short name lies within any longer word: where as many letters differ as it has, none of it need be in the word. */
    if (found > 1 && found >= length - strspn(name, "-")) return;
    if (found > search->distance || (search->name && found == search->distance)) return;
    search->name = name;
    search->distance = found;
}
