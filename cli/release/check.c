/* dpnoise release --check: what the curator of the data wants to know before a release. It is not private. */
#include "release/release.h"

#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/plain.h"
#include "kit/progress.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10 };

/* What is counted in one column of the query. Where several statistics bound it, the narrowest bounds count. */
struct column {
    const char *name;
    const char *lower, *upper; /* as they were declared; NULL: no bound */
    double least, most;
    const dpn_grouping *grouping; /* with levels, or NULL */
    uint64_t empty, below, above, outside;
};

struct check {
    const struct release *release;
    struct column *column;
    size_t columns;
    dpn_rng *rng;
    dpn_tally *tally;
    uint64_t rows, bad;
    uint64_t unusable; /* lines that are no rows */
    dpn_error unusable_why;
    uint64_t bad_row[SHOWN]; /* counted from 1 */
    dpn_error bad_why[SHOWN];
    dpn_status end; /* how reading ended: DPN_OK at the end of the table */
    dpn_error end_why;
};

/* ---- What is declared of a column ---- */

static void bound(struct column *column, const char *lower, const char *upper) {
    double x;
    if (lower && !dpn_number_parse(&x, lower, NULL) && (!column->lower || x > column->least)) {
        column->lower = lower;
        column->least = x;
    }
    if (upper && !dpn_number_parse(&x, upper, NULL) && (!column->upper || x < column->most)) {
        column->upper = upper;
        column->most = x;
    }
}

static void look_up(struct column *column, const dpn_declaration *declaration) {
    for (size_t s = 0; s < declaration->statistics; s++) {
        const dpn_statistic *statistic = &declaration->statistic[s];
        for (size_t i = 0; i < statistic->columns; i++) {
            if (strcmp(statistic->column[i], column->name) != 0) continue;
            if (statistic->lower) bound(column, statistic->lower[i], statistic->upper[i]);
            if (!statistic->lower && statistic->edges)
                bound(column, statistic->edge[0], statistic->edge[statistic->edges - 1]);
        }
    }
    for (size_t i = 0; i < declaration->bys; i++)
        if (declaration->by[i].level && strcmp(declaration->by[i].column, column->name) == 0)
            column->grouping = &declaration->by[i];
}

/* ---- Looking at fields ---- */

static bool is_level(const dpn_grouping *grouping, const dpn_field *field) {
    for (size_t i = 0; i < grouping->levels; i++)
        if (strlen(grouping->level[i]) == field->length && memcmp(grouping->level[i], field->text, field->length) == 0)
            return true;
    return false;
}

static void look_at(struct column *column, const dpn_field *field) {
    char text[512];
    double x;
    if (!field->text || field->length == 0) {
        column->empty++;
        return;
    }
    if (column->grouping && !is_level(column->grouping, field)) column->outside++;
    if ((!column->lower && !column->upper) || field->length >= sizeof text) return;
    memcpy(text, field->text, field->length);
    text[field->length] = '\0';
    if (dpn_number_parse(&x, text, NULL)) return;
    if (column->lower && x < column->least) column->below++;
    if (column->upper && x > column->most) column->above++;
}

static dpn_status explain_rows(struct check *check, const dpn_field *field, size_t rows, dpn_error *why) {
    for (size_t i = 0; i < rows; i++) {
        dpn_error reason;
        dpn_status status = dpn_tally_explain(check->tally, field + i * check->columns, &reason);
        if (!status) continue;
        if (status != DPN_EPARSE) {
            *why = reason;
            return status;
        }
        if (check->bad < SHOWN) {
            check->bad_row[check->bad] = check->rows + i + 1;
            check->bad_why[check->bad] = reason;
        }
        check->bad++;
    }
    return DPN_OK;
}

static dpn_status read_rows(struct check *check, dpn_table *table, dpn_error *why) {
    const dpn_field *field;
    struct progress progress = progress_start("check", 1);
    dpn_status status = DPN_OK;
    for (size_t rows = 1; rows > 0 && !status;) {
        check->end = dpn_table_next(&field, &rows, table, &check->end_why);
        if (check->end) break;
        for (size_t i = 0; i < rows * check->columns; i++) look_at(&check->column[i % check->columns], &field[i]);
        status = explain_rows(check, field, rows, why);
        check->rows += rows;
        progress_rows(&progress, dpn_table_progress(table), check->rows);
    }
    check->unusable = dpn_table_unusable(table, &check->unusable_why);
    progress_end(&progress);
    return status;
}

/* ---- Telling ---- */

static void print_column(const struct column *column) {
    if (!column->empty && !column->below && !column->above && !column->outside) return;
    fputs("  ", stdout);
    print_plain(stdout, column->name);
    const char *comma = ": ";
    if (column->empty) printf("%s%" PRIu64 " empty", comma, column->empty);
    if (column->empty) comma = ", ";
    if (column->below) printf("%s%" PRIu64 " below %s", comma, column->below, column->lower);
    if (column->below) comma = ", ";
    if (column->above) printf("%s%" PRIu64 " above %s", comma, column->above, column->upper);
    if (column->above) comma = ", ";
    if (column->outside) printf("%s%" PRIu64 " in none of the levels", comma, column->outside);
    putchar('\n');
}

static void print_text(const struct check *check) {
    print_plain(stdout, release_source_name(check->release));
    printf(": %" PRIu64 " row%s read, %" PRIu64 " bad\n", check->rows, check->rows == 1 ? "" : "s", check->bad);
    for (size_t i = 0; i < check->bad && i < SHOWN; i++) {
        printf("  row %" PRIu64 ": ", check->bad_row[i]);
        print_plain(stdout, check->bad_why[i].sentence);
        putchar('\n');
    }
    if (check->bad > SHOWN) printf("  and %" PRIu64 " more bad rows\n", check->bad - SHOWN);
    if (check->unusable) {
        printf("  and %" PRIu64 " that %s no row%s at all: ", check->unusable, check->unusable == 1 ? "is" : "are",
               check->unusable == 1 ? "" : "s");
        print_plain(stdout, check->unusable_why.sentence);
        putchar('\n');
    }
    for (size_t i = 0; i < check->columns; i++) print_column(&check->column[i]);
    if (check->end) {
        fputs("  reading ended early: ", stdout);
        print_plain(stdout, check->end_why.sentence);
        putchar('\n');
    }
    fact_print(stdout, "  ",
               "bad rows are left out of a release, values outside bounds clamped, rows in no level or bin left out; "
               "--where is not applied to these counts");
    puts("  this is for the curator: it is not private, and nothing was charged");
}

static void print_json(const struct check *check) {
    struct json object = json_begin(stdout);
    json_bool(&object, "private", false);
    json_count(&object, "rows", check->rows);
    json_count(&object, "bad", check->bad);
    json_open_array(&object, "bad_rows");
    for (size_t i = 0; i < check->bad && i < SHOWN; i++) {
        json_open_object(&object, NULL);
        json_count(&object, "row", check->bad_row[i]);
        json_string(&object, "reason", check->bad_why[i].sentence);
        json_close_object(&object);
    }
    json_close_array(&object);
    json_count(&object, "unusable", check->unusable);
    if (check->unusable)
        json_string(&object, "unusable_reason", check->unusable_why.sentence);
    else
        json_value(&object, "unusable_reason", "null");
    json_open_array(&object, "columns");
    for (size_t i = 0; i < check->columns; i++) {
        json_open_object(&object, NULL);
        json_string(&object, "name", check->column[i].name);
        json_count(&object, "empty", check->column[i].empty);
        json_count(&object, "below", check->column[i].below);
        json_count(&object, "above", check->column[i].above);
        json_count(&object, "outside", check->column[i].outside);
        json_close_object(&object);
    }
    json_close_array(&object);
    if (check->end)
        json_string(&object, "ended_early", check->end_why.sentence);
    else
        json_value(&object, "ended_early", "null");
    json_end(&object);
}

dpn_status release_check(struct release *release, dpn_error *why) {
    struct check check = {.release = release};
    while (dpn_query_column(dpn_question_query(release->question), check.columns)) check.columns++;
    check.column = calloc(check.columns + 1, sizeof *check.column);
    dpn_status status = check.column ? dpn_rng_new(&check.rng, why) : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < check.columns && !status; i++) {
        check.column[i].name = dpn_query_column(dpn_question_query(release->question), i);
        look_up(&check.column[i], &release->declaration);
    }
    if (!status) status = dpn_tally_new(&check.tally, dpn_question_query(release->question), check.rng, why);
    if (!status) status = read_rows(&check, release->table, why);
    dpn_tally_free(check.tally);
    dpn_rng_free(check.rng);
    if (!status && arguments_have(release->arguments, "--json")) print_json(&check);
    if (!status && !arguments_have(release->arguments, "--json")) print_text(&check);
    bool bad = !status && (check.bad || check.unusable || check.end);
    free(check.column);
    if (!bad) return status;
    refuse(why, DPN_EIO,
           check.end ? "the data cannot be read to their end: a release would have no answer"
                     : "a release leaves the rows out that cannot be used");
    why->status = DPN_OK; /* the answer is printed */
    return DPN_EIO;
}
