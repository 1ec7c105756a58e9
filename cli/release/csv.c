/* The answer of `dpnoise release` as comma-separated values (RFC 4180): the keys, then for each output its value and the ends
 * of its 95% interval, for a quantile without a step also how far its rank may be off. What is undefined is empty. What was done to the data is
 * told on standard error, or with --csv-notes in lines that begin with # before the table, as many readers skip them. */
#include "release/release.h"

#include "kit/plain.h"

#include <math.h>
#include <string.h>

static bool is_quantile(const dpn_answer *answer, size_t output) {
    return strncmp(answer->output[output], "quantile(", 9) == 0;
}

/* Whether an output is measured in ranks: a quantile without a step, which each quantile that was asked for tells in its turn. */
static bool has_ranks(const struct release *release, size_t output) {
    size_t before = 0;
    if (!is_quantile(release->answer, output)) return false;
    for (size_t o = 0; o < output; o++) before += is_quantile(release->answer, o);
    for (size_t i = 0; i < release->declaration.statistics; i++) {
        const dpn_statistic *statistic = &release->declaration.statistic[i];
        if (statistic->kind == DPN_STATISTIC_QUANTILE && before-- == 0) return !statistic->step;
    }
    return true;
}

static void print_heads(const struct release *release) {
    static const char *const suffix[] = {"", "_low95", "_high95", "_rank95"};
    const dpn_answer *answer = release->answer;
    for (size_t k = 0; k < answer->bys; k++) {
        if (k) putchar(',');
        print_csv_text(stdout, release->declaration.by[k].column, "");
    }
    for (size_t o = 0; o < answer->outputs; o++)
        for (size_t i = 0; i < (has_ranks(release, o) ? 4 : 3); i++) {
            if (answer->bys || o || i) putchar(',');
            print_csv_text(stdout, answer->output[o], suffix[i]);
        }
    fputs("\r\n", stdout);
}

static void print_number(const char *text) {
    fputs(strcmp(text, "-") == 0 ? "" : text, stdout);
}

static dpn_status print_comments(const struct release *release, dpn_error *why) {
    bool inside = arguments_have(release->arguments, "--csv-notes");
    FILE *out = inside ? stdout : stderr;
    fputs(inside ? "# guarantee  " : "  guarantee  ", out);
    release_print_claim(out, release);
    fprintf(out, " for %s\n", release_neighbours(&release->declaration));
    dpn_status status = release_print_said(out, release, inside ? "# " : "  ", why);
    for (size_t i = 0; i < release->notes && !status; i++) {
        fputs(inside ? "# note       " : "  note       ", out);
        print_plain(out, release->note[i]);
        putc('\n', out);
    }
    return status;
}

dpn_status release_print_csv(const struct release *release, dpn_error *why) {
    const dpn_answer *answer = release->answer;
    char number[RELEASE_NUMBER_SIZE];
    dpn_status status = print_comments(release, why);
    if (status) return status;
    print_heads(release);
    for (size_t g = 0; g < answer->groups; g++) {
        for (size_t k = 0; k < answer->bys; k++) {
            if (k) putchar(',');
            print_csv_text(stdout, answer->key[g * answer->bys + k], "");
        }
        for (size_t o = 0; o < answer->outputs; o++) {
            const dpn_answer_cell *cell = &answer->cell[g * answer->outputs + o];
            if (answer->bys || o) putchar(',');
            print_number(release_number(number, cell->value, cell->digits));
            putchar(',');
            print_number(release_number_down(number, cell->low, cell->digits));
            putchar(',');
            print_number(release_number_up(number, cell->high, cell->digits));
            if (!has_ranks(release, o)) continue;
            putchar(',');
            print_number(release_number_up(number, cell->rank95, 0));
        }
        fputs("\r\n", stdout);
    }
    return DPN_OK;
}
