/* What a declaration says twice: sort, and look at neighbours. */
#include "release/declare/repeats.h"

#include "base/error.h"
#include "release/statistic/statistic.h"
#include "release/declare/declaration.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory to check the declaration");
}

/* ---- texts ---- */

static int compare_texts(const void *left, const void *right) {
    const char *const *const *a = left, *const *const *b = right;
    int order = strcmp(**a, **b);
    return order ? order : (*a > *b) - (*a < *b); /* of equal ones the first stays first */
}

dpn_status dpn_repeated_text(size_t *out, char *const *text, size_t count, dpn_error *why) {
    char *const **sorted = malloc((count ? count : 1) * sizeof *sorted);
    if (!sorted) return no_memory(why);
    for (size_t i = 0; i < count; i++) sorted[i] = &text[i];
    qsort(sorted, count, sizeof *sorted, compare_texts);
    *out = SIZE_MAX;
    for (size_t i = 1; i < count; i++)
        if (strcmp(*sorted[i - 1], *sorted[i]) == 0 && (size_t)(sorted[i] - text) < *out)
            *out = (size_t)(sorted[i] - text);
    free(sorted);
    return DPN_OK;
}

/* ---- statistics ---- */

/* One number that the answer will hold, by what it is about. */
typedef struct key {
    const dpn_statistic *statistic;
    const char *first, *second; /* columns, "" if there are none; of a pair the smaller first */
    char *quantile;             /* in its one form, owned; NULL for other kinds */
} key;

static int compare_keys(const void *left, const void *right) {
    const key *a = left, *b = right;
    int order = (a->statistic->kind > b->statistic->kind) - (a->statistic->kind < b->statistic->kind);
    if (order == 0) order = strcmp(a->first, b->first);
    if (order == 0) order = strcmp(a->second, b->second);
    return order || !a->quantile ? order : strcmp(a->quantile, b->quantile);
}

static size_t count_keys(const dpn_declaration *declaration) {
    size_t count = 0;
    for (size_t i = 0; i < declaration->statistics; i++) {
        size_t columns = declaration->statistic[i].columns;
        count += columns > 1 ? columns * (columns - 1) / 2 : 1;
    }
    return count;
}

/* The keys of one statistic. Returns their number, 0 if there is no memory. */
static size_t add_keys(key *out, const dpn_statistic *statistic) {
    size_t count = 0;
    char **column = statistic->column;
    for (size_t i = 0; i < statistic->columns; i++)
        for (size_t j = i + 1; j < statistic->columns; j++) {
            bool ascend = strcmp(column[i], column[j]) < 0;
            out[count++] = (key){statistic, column[ascend ? i : j], column[ascend ? j : i], NULL};
        }
    if (count > 0) return count;
    *out = (key){statistic, statistic->columns ? column[0] : "", "", NULL};
    if (!(dpn_statistic_shape_of(statistic->kind) & DPN_HAS_QUANTILE)) return 1;
    return dpn_number_copy(&out->quantile, statistic->quantile, false, NULL) ? 0 : 1;
}

static dpn_repeat repeat_of(const key *of) {
    return (dpn_repeat){of->statistic, *of->first ? of->first : NULL, *of->second ? of->second : NULL};
}

static dpn_repeat find_repeat(key *all, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (*all[i].second && strcmp(all[i].first, all[i].second) == 0) return repeat_of(&all[i]);
    qsort(all, count, sizeof *all, compare_keys);
    for (size_t i = 1; i < count; i++)
        if (compare_keys(&all[i - 1], &all[i]) == 0) return repeat_of(&all[i]);
    return (dpn_repeat){0};
}

dpn_status dpn_repeated_statistic(dpn_repeat *out, const dpn_declaration *declaration, dpn_error *why) {
    size_t room = count_keys(declaration), count = 0;
    key *all = calloc(room ? room : 1, sizeof *all);
    bool complete = all;
    for (size_t i = 0; i < declaration->statistics && complete; i++) {
        size_t added = add_keys(&all[count], &declaration->statistic[i]);
        complete = added > 0;
        count += added;
    }
    if (complete) *out = find_repeat(all, count);
    for (size_t i = 0; i < count; i++) free(all[i].quantile);
    free(all);
    return complete ? DPN_OK : no_memory(why);
}
