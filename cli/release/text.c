/* The answer of `dpnoise release` in a terminal: an aligned table, the guarantee and the budget. */
#include "release/release.h"

#include "kit/columns.h"
#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/look.h"
#include "kit/plain.h"
#include "release/said.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAR = 30 };

/* ---- Cells ---- */

/* "+- 12", the number right aligned in `wide`; an interval that is not about its middle as it is. */
static void error_text(char text[RELEASE_ERROR_SIZE], const dpn_answer_cell *cell, int wide) {
    char number[RELEASE_NUMBER_SIZE], other[RELEASE_NUMBER_SIZE];
    if (!isnan(cell->rank95))
        snprintf(text, RELEASE_ERROR_SIZE, "rank +- %s", release_number_up(number, cell->rank95, 0));
    else if (isnan(cell->value) || isnan(cell->low) || isnan(cell->high))
        text[0] = '\0';
    else if (release_symmetric(cell))
        snprintf(text, RELEASE_ERROR_SIZE, "+- %*s", wide, release_half_width(number, cell));
    else
        snprintf(text, RELEASE_ERROR_SIZE, "[%s, %s]", release_number_down(number, cell->low, cell->digits),
                 release_number_up(other, cell->high, cell->digits));
}

static int widest_half(const dpn_answer *answer, size_t output) {
    char number[RELEASE_NUMBER_SIZE];
    size_t widest = 0;
    for (size_t g = 0; g < answer->groups; g++) {
        const dpn_answer_cell *cell = &answer->cell[g * answer->outputs + output];
        if (isnan(cell->low) || !release_symmetric(cell)) continue;
        size_t length = strlen(release_half_width(number, cell));
        if (length > widest) widest = length;
    }
    return (int)widest;
}

static void set_cell(struct columns *grid, size_t row, size_t column, const dpn_answer_cell *cell, int wide) {
    char number[RELEASE_NUMBER_SIZE], error[RELEASE_ERROR_SIZE];
    columns_set(grid, row, column, release_number(number, cell->value, cell->digits));
    error_text(error, cell, wide);
    columns_set(grid, row, column + 1, error);
}

static void set_key(struct columns *grid, size_t row, const dpn_answer *answer, size_t group) {
    for (size_t k = 0; k < answer->bys; k++) columns_set(grid, row, k, answer->key[group * answer->bys + k]);
}

static void set_heads(struct columns *grid, const struct release *release) {
    for (size_t k = 0; k < release->answer->bys; k++) {
        columns_set(grid, 0, k, release->declaration.by[k].column);
        if (!grid->failed) grid->left[k] = true;
    }
}

/* ---- Two shapes ---- */

/* One line a group, for each output the value and its error; the name of the output ends where the error ends. */
static struct columns wide_grid(const struct release *release) {
    const dpn_answer *answer = release->answer;
    struct columns grid = columns_make(answer->groups + 1, answer->bys + 2 * answer->outputs);
    set_heads(&grid, release);
    for (size_t o = 0; o < answer->outputs && !grid.failed; o++) {
        size_t column = answer->bys + 2 * o;
        int wide = widest_half(answer, o);
        for (size_t g = 0; g < answer->groups; g++)
            set_cell(&grid, g + 1, column, &answer->cell[g * answer->outputs + o], wide);
        if (grid.failed) break;
        grid.near[column + 1] = grid.left[column + 1] = true;
        /* The head stands over both columns: it is kept in the second one, and the first is made wide enough. */
        size_t both = grid.width[column] + 1 + grid.width[column + 1], name = columns_letters(answer->output[o]);
        if (name > both) grid.width[column] += name - both;
    }
    return grid;
}

static void print_wide_heads(const struct columns *grid, const struct release *release) {
    const dpn_answer *answer = release->answer;
    for (size_t k = 0; k < answer->bys; k++) {
        printf("%*s", k ? COLUMNS_GAP : 0, "");
        print_plain(stdout, release->declaration.by[k].column);
        printf("%*s", (int)(grid->width[k] - columns_letters(release->declaration.by[k].column)), "");
    }
    for (size_t o = 0; o < answer->outputs; o++) {
        size_t column = answer->bys + 2 * o, both = grid->width[column] + 1 + grid->width[column + 1];
        printf("%*s", (int)((column ? COLUMNS_GAP : 0) + both - columns_letters(answer->output[o])), "");
        print_plain(stdout, answer->output[o]);
    }
    putchar('\n');
}

/* One line for each output of each group. */
static struct columns long_grid(const struct release *release) {
    const dpn_answer *answer = release->answer;
    size_t keys = answer->bys;
    struct columns grid = columns_make(answer->groups * answer->outputs + 1, keys + 3);
    if (grid.failed) return grid;
    set_heads(&grid, release);
    columns_set(&grid, 0, keys, "statistic");
    columns_set(&grid, 0, keys + 1, "value");
    columns_set(&grid, 0, keys + 2, "95%");
    grid.left[keys] = grid.left[keys + 2] = grid.near[keys + 2] = true;
    for (size_t g = 0, row = 1; g < answer->groups; g++)
        for (size_t o = 0; o < answer->outputs; o++, row++) {
            set_key(&grid, row, answer, g);
            columns_set(&grid, row, keys, answer->output[o]);
            set_cell(&grid, row, keys + 1, &answer->cell[g * answer->outputs + o], 0);
        }
    return grid;
}

static dpn_status print_table(const struct release *release, dpn_error *why) {
    const dpn_answer *answer = release->answer;
    if (answer->groups == 0) {
        printf("no key has enough %s to be shown\n", release->declaration.person ? "persons" : "rows");
        return DPN_OK;
    }
    struct columns grid = wide_grid(release);
    for (size_t g = 0; g < answer->groups; g++) set_key(&grid, g + 1, answer, g);
    bool wide = answer->bys > 0 && columns_width(&grid) <= look_width(stdout);
    if (!wide) {
        columns_free(&grid);
        grid = long_grid(release);
    }
    bool failed = grid.failed;
    if (!failed && wide) print_wide_heads(&grid, release);
    if (!failed) columns_print(stdout, &grid, wide);
    columns_free(&grid);
    return failed ? refuse(why, DPN_ENOMEM, "out of memory") : DPN_OK;
}

/* ---- What stands below ---- */

void release_print_ledger(const struct release *release) {
    const struct standing *standing = &release->standing;
    char head[DPN_HEAD_TEXT_SIZE], left[RELEASE_LEFT_SIZE], bar[BAR + 1];
    size_t full = (size_t)ceil(BAR * release_share_left(&standing->account));
    memset(bar, '.', BAR);
    memset(bar, '#', full);
    bar[BAR] = '\0';
    fact_print(stdout, "  ledger     ", "%s in %s, head %s%s", standing->account.name, release->budget.path,
               dpn_head_print(head, &standing->head),
               standing->converted ? ", charged twice: its budget is for replace" : "");
    fact_print(stdout, "  budget     ", "[%s] %s", bar, release_left(left, &standing->account));
}

void release_print_notes(FILE *out, const struct release *release) {
    for (size_t i = 0; i < release->notes; i++)
        fact_print(out, i ? "             " : "  note       ", "%s", release->note[i]);
}

void release_print_guarantee(const struct release *release) {
    struct fact fact;
    fact_begin(&fact, stdout, "  guarantee  ");
    release_print_claim(fact.text, release);
    fprintf(fact.text, " for %s", release_neighbours(&release->declaration));
    fact_end(&fact);
}

dpn_status release_print_said(FILE *out, const struct release *release, const char *start, dpn_error *why) {
    struct said said = said_of(&release->declaration, dpn_question_query(release->question), release->answer);
    bool failed = said.failed;
    if (!failed) said_print(out, &said, start);
    said_free(&said);
    return failed ? refuse(why, DPN_ENOMEM, "out of memory") : DPN_OK;
}

dpn_status release_print_text(const struct release *release, dpn_error *why) {
    dpn_status status = print_table(release, why);
    if (status) return status;
    putchar('\n');
    release_print_guarantee(release);
    status = release_print_said(stdout, release, "  ", why);
    if (status) return status;
    release_print_ledger(release);
    release_print_notes(stdout, release);
    return DPN_OK;
}
