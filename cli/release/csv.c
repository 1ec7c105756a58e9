/* The answer of `dpnoise release` as comma-separated values (RFC 4180): the keys, then for each output its value and the ends
 * of its 95% interval, for a quantile also how far its rank may be off. What is undefined is empty. */
#include "release/release.h"

#include <math.h>
#include <string.h>

static void print_field(const char *text, const char *suffix) {
    bool quoted = strpbrk(text, ",\"\r\n") || text[0] == ' ' || (text[0] && text[strlen(text) - 1] == ' ');
    if (quoted) putchar('"');
    for (const char *at = text; *at; at++) {
        if (*at == '"') putchar('"');
        putchar(*at);
    }
    fputs(suffix, stdout);
    if (quoted) putchar('"');
}

/* Whether an output is measured in ranks. */
static bool has_ranks(const dpn_answer *answer, size_t output) {
    return strncmp(answer->output[output], "quantile(", 9) == 0;
}

static void print_heads(const struct release *release) {
    static const char *const suffix[] = {"", "_low95", "_high95", "_rank95"};
    const dpn_answer *answer = release->answer;
    for (size_t k = 0; k < answer->bys; k++) {
        if (k) putchar(',');
        print_field(release->declaration.by[k].column, "");
    }
    for (size_t o = 0; o < answer->outputs; o++)
        for (size_t i = 0; i < (has_ranks(answer, o) ? 4 : 3); i++) {
            if (answer->bys || o || i) putchar(',');
            print_field(answer->output[o], suffix[i]);
        }
    fputs("\r\n", stdout);
}

static void print_number(const char *text) {
    fputs(strcmp(text, "-") == 0 ? "" : text, stdout);
}

dpn_status release_print_csv(const struct release *release, dpn_error *why) {
    (void)why;
    const dpn_answer *answer = release->answer;
    char number[RELEASE_NUMBER_SIZE];
    print_heads(release);
    for (size_t g = 0; g < answer->groups; g++) {
        for (size_t k = 0; k < answer->bys; k++) {
            if (k) putchar(',');
            print_field(answer->key[g * answer->bys + k], "");
        }
        for (size_t o = 0; o < answer->outputs; o++) {
            const dpn_answer_cell *cell = &answer->cell[g * answer->outputs + o];
            if (answer->bys || o) putchar(',');
            print_number(release_number(number, cell->value, cell->digits));
            putchar(',');
            print_number(release_number_down(number, cell->low, cell->digits));
            putchar(',');
            print_number(release_number_up(number, cell->high, cell->digits));
            if (!has_ranks(answer, o)) continue;
            putchar(',');
            print_number(release_number_up(number, cell->rank95, 0));
        }
        fputs("\r\n", stdout);
    }
    release_print_notes(stderr, release);
    return DPN_OK;
}
