/* The answer of `dpnoise law` for people: one law with its points in rows, or several laws side by side in columns. */
#include "kit/table.h"
#include "law/law.h"
#include "words/law.h"

#include <math.h>
#include <stdio.h>

typedef double member(const dpn_law *law, double argument);

/* A member of a law at a point: how a row or a column is called, and the function. */
struct point_member {
    const char *name;
    member *value;
};

static const struct point_member at_members[] = {
    {"density", dpn_law_pdf}, {"log density", dpn_law_log_pdf}, {"P(X <= t)", dpn_law_cdf},
    {"P(X > t)", dpn_law_sf}, {"log P(X > t)", dpn_law_log_sf},
};
static const struct point_member integer_at_members[] = {
    {"probability", dpn_law_pdf}, {"log probability", dpn_law_log_pdf}, {"P(X <= t)", dpn_law_cdf},
    {"P(X > t)", dpn_law_sf},     {"log P(X > t)", dpn_law_log_sf},
};
static const struct point_member prob_members[] = {
    {"quantile", dpn_law_quantile},
    {"upper quantile", dpn_law_isf},
};
static const struct point_member mgf_members[] = {{"log E exp(sX)", dpn_law_log_mgf}};

/* The points asked for, by the name of their argument. */
struct question {
    const char *argument;
    const struct numbers *points;
    const struct point_member *member;
    size_t members;
};
enum { QUESTIONS = 3 };

static void list_questions(struct question out[QUESTIONS], const struct inquiry *inquiry) {
    bool integers = law_count_integers(inquiry) == inquiry->laws;
    out[0] = (struct question){"t", &inquiry->at, integers ? integer_at_members : at_members,
                               sizeof at_members / sizeof *at_members};
    out[1] = (struct question){"p", &inquiry->prob, prob_members, sizeof prob_members / sizeof *prob_members};
    out[2] = (struct question){"s", &inquiry->mgf, mgf_members, sizeof mgf_members / sizeof *mgf_members};
}

/* ---- The law as a whole: a column of a table ---- */

static const char *const whole_names[] = {
    "variance",           "standard deviation", "mean absolute value",
    "Fisher information", "normalised Fisher",  "entropy (nats)",
    "sub-Gaussian proxy", "MGF finite for",     "values",
    "log-concave",
};
enum { WHOLE = sizeof whole_names / sizeof *whole_names };

static void describe_values(struct table *table, size_t row, size_t column, const dpn_law *law) {
    double support = dpn_law_support(law);
    const char *kind = dpn_law_is_integer(law) ? "integers" : "real numbers";
    if (isinf(support))
        table_set(table, row, column, "%s", kind);
    else
        table_set(table, row, column, "|t| <= %.10g", support);
}

static void describe_mgf_bound(struct table *table, size_t row, size_t column, const dpn_law *law) {
    double bound = dpn_law_mgf_bound(law);
    if (isinf(bound))
        table_set(table, row, column, "every s");
    else
        table_set(table, row, column, "|s| < %.10g", bound);
}

static void fill_whole(struct table *table, size_t row, size_t column, const dpn_law *law) {
    const double values[] = {
        dpn_law_variance(law), sqrt(dpn_law_variance(law)), dpn_law_mean_abs(law),           dpn_law_fisher(law),
        dpn_law_nfi(law),      dpn_law_entropy(law),        dpn_law_sub_gaussian_upper(law),
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) table_set_number(table, row++, column, values[i]);
    if (isinf(values[6])) table_set(table, row - 1, column, "none");
    describe_mgf_bound(table, row++, column, law);
    describe_values(table, row++, column, law);
    table_set(table, row, column, dpn_law_is_log_concave(law) ? "yes" : "no");
}

static void name_whole(struct table *table, size_t row) {
    for (size_t i = 0; i < WHOLE; i++) table_set(table, row + i, 0, "%s", whole_names[i]);
}

/* ---- One law: its points in rows ---- */

static dpn_status print_points(const dpn_law *law, const struct question *question, dpn_error *why) {
    struct table table;
    dpn_status status = table_make(&table, question->points->count + 1, question->members + 1, why);
    if (status) return status;
    table_set(&table, 0, 0, "%s", question->argument);
    for (size_t m = 0; m < question->members; m++) table_set(&table, 0, m + 1, "%s", question->member[m].name);
    for (size_t i = 0; i < question->points->count; i++) {
        table_set_number(&table, i + 1, 0, question->points->at[i]);
        for (size_t m = 0; m < question->members; m++)
            table_set_number(&table, i + 1, m + 1, question->member[m].value(law, question->points->at[i]));
    }
    putchar('\n');
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

static dpn_status print_one(const struct inquiry *inquiry, dpn_error *why) {
    const dpn_law *law = &inquiry->law[0];
    struct table table;
    dpn_status status = table_make(&table, WHOLE, 2, why);
    if (status) return status;
    name_whole(&table, 0);
    fill_whole(&table, 0, 1, law);
    char text[DPN_LAW_TEXT_SIZE];
    printf("%s\n", dpn_law_print(text, law));
    table_print(stdout, &table, 2);
    table_free(&table);

    struct question questions[QUESTIONS];
    list_questions(questions, inquiry);
    for (size_t i = 0; i < QUESTIONS && !status; i++)
        if (questions[i].points->count) status = print_points(law, &questions[i], why);
    return status;
}

/* ---- Several laws: one column each ---- */

/* The law's name and parameters, one below the other. */
static void fill_heading(struct table *table, size_t column, const dpn_law *law) {
    table_set(table, 0, column, "%s", dpn_law_family(law));
    for (size_t i = 0; i < DPN_LAW_PARAMETERS; i++) {
        const char *name = law_parameter_name(law, i);
        if (!name) break;
        table_set(table, i + 1, column, "%s=%.10g", name, dpn_law_parameter(law, name));
    }
}

static size_t heading_rows(const struct inquiry *inquiry) {
    size_t rows = 1;
    for (size_t i = 0; i < inquiry->laws; i++)
        while (rows <= DPN_LAW_PARAMETERS && law_parameter_name(&inquiry->law[i], rows - 1)) rows++;
    return rows;
}

/* A block of rows for each point; the first row of the block names the point. Returns the row after them. */
static size_t fill_blocks(struct table *table, size_t row, const struct inquiry *inquiry,
                          const struct question *question) {
    for (size_t i = 0; i < question->points->count; i++) {
        double point = question->points->at[i];
        row++; /* blank line */
        table_set_number(table, row, 0, point);
        char number[sizeof *table->cell];
        snprintf(number, sizeof number, "%s", table->cell[row * table->columns]);
        table_set(table, row++, 0, "%s = %.40s", question->argument, number);
        for (size_t m = 0; m < question->members; m++, row++) {
            table_set(table, row, 0, "  %s", question->member[m].name);
            for (size_t l = 0; l < inquiry->laws; l++)
                table_set_number(table, row, l + 1, question->member[m].value(&inquiry->law[l], point));
        }
    }
    return row;
}

static dpn_status print_several(const struct inquiry *inquiry, dpn_error *why) {
    struct question questions[QUESTIONS];
    list_questions(questions, inquiry);
    size_t heading = heading_rows(inquiry), rows = heading + 1 + WHOLE;
    for (size_t i = 0; i < QUESTIONS; i++) rows += questions[i].points->count * (questions[i].members + 2);
    struct table table;
    dpn_status status = table_make(&table, rows, inquiry->laws + 1, why);
    if (status) return status;
    name_whole(&table, heading + 1);
    for (size_t l = 0; l < inquiry->laws; l++) {
        fill_heading(&table, l + 1, &inquiry->law[l]);
        fill_whole(&table, heading + 1, l + 1, &inquiry->law[l]);
    }
    size_t row = heading + 1 + WHOLE;
    for (size_t i = 0; i < QUESTIONS; i++) row = fill_blocks(&table, row, inquiry, &questions[i]);
    table_print(stdout, &table, 0);
    table_free(&table);
    return DPN_OK;
}

/* ---- The whys of what is infinite or undefined ---- */

static void print_notes(const struct inquiry *inquiry) {
    size_t jumps = 0, integers = law_count_integers(inquiry);
    for (size_t i = 0; i < inquiry->laws; i++) jumps += isinf(dpn_law_fisher(&inquiry->law[i])) != 0;
    if (jumps || integers) putchar('\n');
    if (jumps) puts("The Fisher information of location is infinite where the density jumps.");
    if (integers) puts("The Fisher information of location is not defined on the integers.");
    if (integers && integers < inquiry->laws && inquiry->at.count)
        puts("On the integers the density is the probability of t.");
}

dpn_status law_print_text(const struct inquiry *inquiry, dpn_error *why) {
    dpn_status status = inquiry->laws == 1 ? print_one(inquiry, why) : print_several(inquiry, why);
    if (status) return status;
    print_notes(inquiry);
    if (inquiry->plot) printf("\nThe picture is in %s.\n", inquiry->plot);
    return DPN_OK;
}
