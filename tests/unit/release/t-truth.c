/* With hardly any noise an answer is the statistic itself. Random questions about random tables are declared with an epsilon so
 * large that noise is a thousandth of what one row can change; what each cell must hold is computed here, from the rows and from
 * what docs/declaration.md says of a question, and never asked of the query. Persons have no more rows and groups than they may,
 * so that nothing is left to lots. */
#include "release/compile/measure.h"
#include "release/tally/tally.h"

#include "reference/draw.h"
#include "unit/random/seeded.h"
#include "unit/release/declared.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { QUESTIONS = 60, ROWS = 90, TEXT = 16, MOST_ROWS = 4, MOST_GROUPS = 3, PERSONS = 50 };

/* ---- Tables ---- */

enum { X, Y, NUMBERS };

/* Numbers are multiples of an eighth, which every grid holds. */
typedef struct row {
    char region[TEXT], sex[TEXT], id[TEXT], text[NUMBERS][TEXT];
    double number[NUMBERS]; /* NaN: missing or no number */
} row;

static void put_number(row *out, draw_source *source, int column) {
    static const char *const bad[] = {"", "none", "NA", " NA "};
    double low = column == X ? -20 : -2, high = column == X ? 120 : 14;
    double value = rint(draw_uniform(source, low, high) * (column == X ? 8 : 1)) / (column == X ? 8 : 1);
    if (draw_chance(source, 0.1)) value = column == X ? 100 : 10; /* an end, and an edge */
    out->number[column] = draw_chance(source, 0.07) ? NAN : value;
    if (isnan(out->number[column]))
        strcpy(out->text[column], bad[draw_bits(source) % 4]);
    else
        snprintf(out->text[column], TEXT, "%.3f", value);
}

/* No person has more than MOST_ROWS rows, nor rows in more than MOST_GROUPS groups. */
static void random_table(row *table, draw_source *source) {
    int used[PERSONS] = {0};
    for (int i = 0; i < ROWS; i++) {
        int person;
        do person = (int)(draw_bits(source) % PERSONS);
        while (used[person] == MOST_ROWS);
        int group = (int)((unsigned)person + draw_bits(source) % MOST_GROUPS);
        used[person]++;
        snprintf(table[i].region, TEXT, "%c", "abcde"[group % 5]);
        snprintf(table[i].sex, TEXT, "%s", group % 10 < 5 ? "f" : "m");
        snprintf(table[i].id, TEXT, "p%d", person);
        for (int k = 0; k < NUMBERS; k++) put_number(&table[i], source, k);
    }
}

/* ---- Questions ---- */

typedef enum kind { COUNT, SUM, MEAN, VARIANCE, COVARIANCE, HISTOGRAM, CHOSEN, TREE } kind;

/* A statistic, as text and as it is understood here. */
typedef struct statistic {
    const char *json;
    kind kind;
    int column, other;
    double lower, upper, other_lower, other_upper, q, edge[8];
    int edges; /* of TREE: candidates in steps of 10 */
} statistic;

static const statistic statistics[] = {
    {"{'kind': 'count'}", COUNT, -1, -1, 0, 0, 0, 0, 0, {0}, 0},
    {"{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '100'}", SUM, X, -1, 0, 100, 0, 0, 0, {0}, 0},
    {"{'kind': 'sum', 'column': 'y', 'lower': '-1', 'upper': '5'}", SUM, Y, -1, -1, 5, 0, 0, 0, {0}, 0},
    {"{'kind': 'mean', 'column': 'x', 'lower': '10', 'upper': '90'}", MEAN, X, -1, 10, 90, 0, 0, 0, {0}, 0},
    {"{'kind': 'mean', 'column': 'y', 'lower': '0', 'upper': '12'}", MEAN, Y, -1, 0, 12, 0, 0, 0, {0}, 0},
    {"{'kind': 'variance', 'column': 'y', 'lower': '0', 'upper': '8'}", VARIANCE, Y, Y, 0, 8, 0, 8, 0, {0}, 0},
    {"{'kind': 'covariance', 'columns': ['y', 'x'], 'lower': ['2', '0'], 'upper': ['8', '60']}",
     COVARIANCE,
     Y,
     X,
     2,
     8,
     0,
     60,
     0,
     {0},
     0},
    /* the others are not for persons that add sums */
    {"{'kind': 'histogram', 'column': 'x', 'edges': ['0', '18', '65', '100']}",
     HISTOGRAM,
     X,
     -1,
     0,
     0,
     0,
     0,
     0,
     {0, 18, 65, 100},
     4},
    {"{'kind': 'histogram', 'column': 'y', 'edges': ['-inf', '3', '10', 'inf']}",
     HISTOGRAM,
     Y,
     -1,
     0,
     0,
     0,
     0,
     0,
     {-INFINITY, 3, 10, INFINITY},
     4},
    {"{'kind': 'quantile', 'column': 'x', 'quantile': '0.5', 'edges': ['0', '20', '40', '60', '100']}",
     CHOSEN,
     X,
     -1,
     0,
     0,
     0,
     0,
     0.5,
     {0, 20, 40, 60, 100},
     5},
    {"{'kind': 'quantile', 'column': 'y', 'quantile': '0.9', 'edges': ['0', '5', '10']}",
     CHOSEN,
     Y,
     -1,
     0,
     0,
     0,
     0,
     0.9,
     {0, 5, 10},
     3},
    {"{'kind': 'quantile', 'column': 'x', 'quantile': '0.25', 'edges': ['-5', '1', '2', '7', '50', '80']}",
     CHOSEN,
     X,
     -1,
     0,
     0,
     0,
     0,
     0.25,
     {-5, 1, 2, 7, 50, 80},
     6},
    {"{'kind': 'quantile', 'column': 'x', 'quantile': '0.3', 'lower': '0', 'upper': '110', 'step': '10'}",
     TREE,
     X,
     -1,
     0,
     110,
     0,
     0,
     0.3,
     {0},
     12},
    {"{'kind': 'quantile', 'column': 'y', 'quantile': '0.7', 'lower': '-10', 'upper': '40', 'step': '10'}",
     TREE,
     Y,
     -1,
     -10,
     40,
     0,
     0,
     0.7,
     {0},
     6},
};
enum { STATISTICS = sizeof statistics / sizeof *statistics, FOR_SUMS = 7, FIRST_CHOSEN = 9, MOST = 6 };
typedef enum per_person { EACH_ROW, PERSON_SUM, PERSON_MEAN } per_person;

typedef struct question {
    char json[DECLARED_SIZE];
    const statistic *of[MOST];
    size_t count;
    bool by_region, by_sex, unknown, where, left_out, value;
    per_person per_person;
    double slack; /* of sums, above what the noise adds; answers that are wrong differ by more */
} question;

static void add(question *out, const char *format, ...) {
    va_list list;
    size_t used = strlen(out->json);
    va_start(list, format);
    vsnprintf(out->json + used, sizeof out->json - used, format, list);
    va_end(list);
}

/* Products take a tenth of a second to plan: a few questions have them. */
static void add_statistics(question *out, draw_source *source, bool products) {
    bool taken[STATISTICS] = {false};
    size_t most = out->per_person ? FOR_SUMS : STATISTICS, wanted = 1 + draw_bits(source) % (out->unknown      ? 2
                                                                                             : out->per_person ? 4
                                                                                                               : MOST);
    bool all_chosen = !out->per_person && !out->unknown && draw_chance(source, 0.2);
    add(out, "{'statistics': [");
    for (size_t i = FIRST_CHOSEN; all_chosen && i < FIRST_CHOSEN + 3; i++) {
        taken[i] = true;
        add(out, "%s%s", out->count ? ", " : "", statistics[i].json);
        out->of[out->count++] = &statistics[i];
    }
    while (out->count < wanted) {
        size_t i = draw_bits(source) % most;
        bool product = statistics[i].kind == VARIANCE || statistics[i].kind == COVARIANCE;
        if (taken[i] || (product && !products) || (out->unknown && statistics[i].kind >= CHOSEN)) continue;
        taken[i] = true;
        add(out, "%s%s", out->count ? ", " : "", statistics[i].json);
        out->of[out->count++] = &statistics[i];
    }
    add(out, "]");
}

static void add_groups(question *out) {
    if (!out->by_sex && !out->by_region) return;
    add(out, ", 'by': [");
    if (out->by_region) add(out, "{'column': 'region'%s}", out->unknown ? "" : ", 'levels': ['b', 'a', 'd', 'c']");
    if (out->by_sex) add(out, "%s{'column': 'sex', 'levels': ['m', 'f']}", out->by_region ? ", " : "");
    add(out, "]");
}

/* A quantile is chosen with an epsilon of up to 1e6. One unit moves up to 12 sums by 100, 4 times, in 3 groups, 2 times: Laplace noise
 * has a scale of 28800/epsilon. With unknown keys a row moves a few sums, and Gaussian noise has a deviation of 2. */
static void add_noise(question *out) {
    bool chosen = false;
    for (size_t i = 0; i < out->count; i++) chosen |= out->of[i]->kind == CHOSEN;
    add(out, ", 'epsilon': '%s'", out->unknown ? "10000" : chosen ? "1000000" : "1000000000");
    add(out, out->unknown ? ", 'noise': 'gaussian', 'delta': '0.01'" : ", 'noise': 'laplace'");
    out->slack = out->unknown ? 16 : chosen ? 1 : 0.01;
}

static void random_question(question *out, draw_source *source, bool products) {
    *out = (question){.where = draw_chance(source, 0.3), .left_out = draw_chance(source, 0.3)};
    out->by_sex = draw_chance(source, 0.4);
    out->by_region = draw_chance(source, 0.5);
    out->unknown = out->by_region && draw_chance(source, 0.3);
    bool persons = !out->unknown && draw_chance(source, 0.4);
    if (persons && draw_chance(source, 0.5)) out->per_person = draw_chance(source, 0.5) ? PERSON_SUM : PERSON_MEAN;
    if (out->per_person) out->left_out = false;
    add_statistics(out, source, products);
    add_noise(out);
    add_groups(out);
    if (!out->unknown && draw_chance(source, 0.4)) add(out, ", 'relation': 'replace'");
    if (persons) add(out, ", 'person': 'id'");
    if (out->per_person) add(out, ", 'per_person': '%s'", out->per_person == PERSON_SUM ? "sum" : "mean");
    if (persons && !out->per_person) add(out, ", 'max_rows': %d", MOST_ROWS);
    if (persons && (out->by_region || out->by_sex)) add(out, ", 'max_groups': %d", MOST_GROUPS);
    if (out->where)
        add(out, ", 'where': [{'column': 'y', 'is': '<=', 'value': '9'}, {'column': 'id', 'is': '!=', 'value': 'p3'}]");
    if ((out->value = draw_chance(source, 0.3))) add(out, ", 'missing': 'value:7'");
    if (out->left_out) add(out, ", 'count_left_out': true");
    if (draw_chance(source, 0.5)) add(out, ", 'na': ['NA']"); /* which is no number anyway */
    add(out, "}");
}

/* ---- What must come out ---- */

/* The rows of one group that are used, a row for each person where persons add sums; and how many are left out. */
typedef struct used {
    double number[ROWS][NUMBERS];
    char id[ROWS][TEXT];
    int copies[ROWS];
    int rows, left_out;
} used;

static bool needs(const question *asked, int column) {
    for (size_t i = 0; i < asked->count; i++)
        if (asked->of[i]->column == column || asked->of[i]->other == column) return true;
    return false;
}

static void use_row(used *out, const question *asked, const row *from) {
    int at = 0;
    while (asked->per_person && at < out->rows && strcmp(out->id[at], from->id) != 0) at++;
    if (!asked->per_person) at = out->rows;
    bool fresh = at == out->rows;
    if (fresh) {
        strcpy(out->id[at], from->id);
        out->copies[at] = 0;
        out->rows++;
    }
    out->copies[at]++;
    for (int k = 0; k < NUMBERS; k++) {
        double number = isnan(from->number[k]) ? 7 : from->number[k];
        out->number[at][k] = fresh ? number : out->number[at][k] + number;
    }
}

static void use_rows(used *out, const question *asked, const row *table, const char *region, const char *sex) {
    *out = (used){.rows = 0};
    for (int i = 0; i < ROWS; i++) {
        const row *from = &table[i];
        if ((region && strcmp(region, from->region) != 0) || (sex && strcmp(sex, from->sex) != 0)) continue;
        if (asked->where && (strcmp(from->id, "p3") == 0 || from->number[Y] > 9)) continue;
        bool lacks = (asked->where && isnan(from->number[Y]));
        for (int k = 0; k < NUMBERS; k++) lacks |= !asked->value && needs(asked, k) && isnan(from->number[k]);
        if (lacks)
            out->left_out++;
        else
            use_row(out, asked, from);
    }
    for (int i = 0; i < out->rows && asked->per_person == PERSON_MEAN; i++)
        for (int k = 0; k < NUMBERS; k++) out->number[i][k] /= out->copies[i];
}

static double clamp(double x, double lower, double upper) {
    return fmin(fmax(x, lower), upper);
}

static double total(const used *from, int column, double lower, double upper) {
    double sum = 0;
    for (int i = 0; i < from->rows; i++) sum += clamp(from->number[i][column], lower, upper);
    return sum;
}

/* Of two columns, each with its bounds. */
typedef struct bounded {
    int column;
    double lower, upper;
} bounded;

static double covariance(const used *from, bounded one, bounded other) {
    double a = total(from, one.column, one.lower, one.upper) / from->rows, sum = 0;
    double b = total(from, other.column, other.lower, other.upper) / from->rows;
    for (int i = 0; i < from->rows; i++)
        sum += (clamp(from->number[i][one.column], one.lower, one.upper) - a) *
               (clamp(from->number[i][other.column], other.lower, other.upper) - b);
    return sum / (from->rows - 1);
}

/* Values in [low, high), or up to high. */
static int between(const used *from, int column, double low, double high, bool closed) {
    int count = 0;
    for (int i = 0; i < from->rows; i++) {
        double x = from->number[i][column];
        count += x >= low && (x < high || (closed && x == high));
    }
    return count;
}

static void near(const char *json, const char *name, double found, double wanted, double slack) {
    if (!(fabs(found - wanted) <= slack)) fail_msg("%s\n%s is %.17g and not %.17g", json, name, found, wanted);
}

static void check_whole(const question *asked, const char *name, const dpn_answer_cell *cell, double wanted) {
    near(asked->json, name, cell->value, wanted, 0);
    assert_true(cell->digits <= 0);
}

/* The rank of the edge is as near to that of the quantile as that of any other. */
static void check_chosen(const question *asked, const statistic *of, const used *from, double found) {
    double least = INFINITY, own = NAN;
    for (int k = 0; k < of->edges; k++) {
        int below = k == 0               ? 0
                    : k + 1 == of->edges ? from->rows
                                         : between(from, of->column, -INFINITY, of->edge[k], false);
        double off = fabs(below - of->q * from->rows);
        least = fmin(least, off);
        if (found == of->edge[k]) own = off;
    }
    if (!(own <= least + 1e-9)) fail_msg("%s\n%s gives %g", asked->json, of->json, found);
}

/* The least candidate with at least q n values up to it; the last one has all. Where the values are just q n noise decides. */
static void check_tree(const question *asked, const statistic *of, const used *from, double found) {
    int k = (int)rint((found - of->lower) / 10);
    int upto = k + 1 == of->edges ? from->rows : between(from, of->column, -INFINITY, found, true);
    int before = k == 0 ? -1 : between(from, of->column, -INFINITY, found - 10, true);
    bool good = k >= 0 && k < of->edges && of->lower + 10 * k == found && upto >= of->q * from->rows - 0.01 &&
                (k == 0 || before <= of->q * from->rows + 0.01);
    if (!good) fail_msg("%s\n%s gives %g", asked->json, of->json, found);
}

static void check_number(const question *asked, const statistic *of, const char *name, const dpn_answer_cell *cell,
                         double wanted, double slack) {
    near(asked->json, name, cell->value, wanted, slack);
    if (!(cell->low <= wanted + slack && cell->high >= wanted - slack && cell->high - cell->low <= 40 * slack))
        fail_msg("%s\n%s: %g is in [%g, %g]", asked->json, of->json, wanted, cell->low, cell->high);
}

/* Of the first with itself and the other, and of that with itself; a variance is the first of these. */
static void check_products(const question *asked, const statistic *of, const used *from, char *const *name,
                           const dpn_answer_cell *cell) {
    bounded one = {of->column, of->lower, of->upper}, other = {of->other, of->other_lower, of->other_upper};
    double slack = 100 * asked->slack / (from->rows - 1);
    if (from->rows < 2) return;
    check_number(asked, of, name[0], &cell[0], covariance(from, one, one), slack);
    if (of->kind == VARIANCE) return;
    check_number(asked, of, name[1], &cell[1], covariance(from, one, other), slack);
    check_number(asked, of, name[2], &cell[2], covariance(from, other, other), slack);
}

/* The cells of one statistic. Returns how many there are. */
static size_t check_statistic(const question *asked, const statistic *of, const used *from, char *const *name,
                              const dpn_answer_cell *cell) {
    double n = from->rows, slack = asked->slack;
    switch (of->kind) {
    case COUNT:
        check_whole(asked, *name, cell, n);
        break;
    case SUM:
        check_number(asked, of, *name, cell, total(from, of->column, of->lower, of->upper), slack);
        break;
    case MEAN:
        if (n > 0) check_number(asked, of, *name, cell, total(from, of->column, of->lower, of->upper) / n, slack / n);
        break;
    case VARIANCE:
    case COVARIANCE:
        check_products(asked, of, from, name, cell);
        return of->kind == VARIANCE ? 1 : 3;
    case HISTOGRAM:
        for (int i = 0; i + 1 < of->edges; i++)
            check_whole(asked, name[i], &cell[i],
                        between(from, of->column, of->edge[i], of->edge[i + 1], i + 2 == of->edges));
        return (size_t)of->edges - 1;
    case CHOSEN:
        check_chosen(asked, of, from, cell->value);
        break;
    case TREE:
        if (n > 0) check_tree(asked, of, from, cell->value);
        break;
    }
    return 1;
}

static void check_group(const question *asked, const used *from, const dpn_answer *answer, size_t group) {
    const dpn_answer_cell *cell = answer->cell + group * answer->outputs;
    size_t at = 0;
    for (size_t i = 0; i < asked->count; i++)
        at += check_statistic(asked, asked->of[i], from, answer->output + at, cell + at);
    if (asked->left_out) check_whole(asked, answer->output[at], &cell[at], from->left_out), at++;
    assert_int_equal(at, answer->outputs);
}

/* Groups as they are declared, the last column fastest; unknown keys ascend, and one with few rows may be hidden. */
static void check_answer(const question *asked, const row *table, const dpn_answer *answer) {
    const char *declared[] = {"b", "a", "d", "c"}, *ascending[] = {"a", "b", "c", "d", "e"}, *sexes[] = {"m", "f"};
    const char **region = asked->unknown ? ascending : declared;
    size_t regions = !asked->by_region ? 1 : asked->unknown ? 5 : 4, group = 0;
    used from;
    for (size_t r = 0; r < regions; r++)
        for (size_t s = 0; s < (asked->by_sex ? 2 : 1); s++) {
            const char *sex = sexes[asked->unknown ? 1 - s : s]; /* f is before m */
            use_rows(&from, asked, table, asked->by_region ? region[r] : NULL, asked->by_sex ? sex : NULL);
            char *const *key = answer->key + group * answer->bys;
            bool there = group < answer->groups && (!asked->by_region || strcmp(key[0], region[r]) == 0) &&
                         (!asked->by_sex || strcmp(key[asked->by_region], sex) == 0);
            if (!there && asked->unknown && from.rows <= 3) continue;
            if (!there || (asked->unknown && from.rows + from.left_out == 0))
                fail_msg("%s\na group is missing or too many", asked->json);
            check_group(asked, &from, answer, group++);
        }
    assert_int_equal(group, answer->groups);
}

/* ---- Trying them ---- */

static dpn_query *compile(const question *asked) {
    char json[DECLARED_SIZE];
    dpn_declaration declaration = declared_read(declared_quotes(json, asked->json));
    dpn_query *query = NULL;
    dpn_error why;
    if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s\n%s", asked->json, why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

static void add_row(dpn_tally *tally, const dpn_query *query, const row *from) {
    dpn_field field[8];
    dpn_error why;
    for (size_t k = 0; dpn_query_column(query, k); k++) {
        const char *name = dpn_query_column(query, k);
        const char *text = !strcmp(name, "region") ? from->region
                           : !strcmp(name, "sex")  ? from->sex
                           : !strcmp(name, "id")   ? from->id
                                                   : from->text[!strcmp(name, "x") ? X : Y];
        field[k] = (dpn_field){text, strlen(text)};
    }
    if (dpn_tally_rows(tally, field, 1, &why)) fail_msg("%s", why.sentence);
}

/* Half of the rows come by a tally that was split. */
static dpn_answer *answer_of(const dpn_query *query, const row *table, uint64_t seed) {
    seeded rng;
    dpn_tally *tally = NULL, *part = NULL;
    dpn_answer *answer = NULL;
    dpn_error why;
    seeded_begin(&rng, seed);
    if (dpn_tally_new(&tally, query, &rng.rng, &why) || dpn_tally_split(&part, tally, &why))
        fail_msg("%s", why.sentence);
    for (int i = 0; i < ROWS; i++) add_row(i % 2 ? part : tally, query, &table[i]);
    if (dpn_tally_merge(tally, part, &why) || dpn_query_answer(&answer, query, tally, &rng.rng, &why))
        fail_msg("%s", why.sentence);
    dpn_tally_free(part);
    dpn_tally_free(tally);
    return answer;
}

static void answers_are_the_statistics(void **state) {
    draw_source source = {20261117};
    (void)state;
    for (int i = 0; i < QUESTIONS; i++) {
        question asked;
        row table[ROWS];
        random_question(&asked, &source, i % 8 == 0);
        random_table(table, &source);
        dpn_query *query = compile(&asked);
        dpn_answer *answer = answer_of(query, table, (uint64_t)i);
        check_answer(&asked, table, answer);
        dpn_answer_free(answer);
        dpn_query_free(query);
    }
}

/* Whatever the noise: numbers of rows are whole, and have no decimals. */
static void counts_are_whole(void **state) {
    static const char *const epsilons[] = {"0.01", "0.1", "0.3", "0.7", "1", "2", "4", "8", "30"};
    draw_source source = {20261118};
    row table[ROWS];
    (void)state;
    random_table(table, &source);
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        question asked = {.count = 2};
        add(&asked, "{'statistics': [%s, %s], 'epsilon': '%s'}", statistics[0].json, statistics[7].json, epsilons[i]);
        dpn_query *query = compile(&asked);
        dpn_answer *answer = answer_of(query, table, i);
        for (size_t k = 0; k < answer->outputs; k++) {
            const dpn_answer_cell *cell = &answer->cell[k];
            assert_true(cell->digits <= 0);
            assert_true(cell->value == rint(cell->value) && cell->low == rint(cell->low) &&
                        cell->high == rint(cell->high));
        }
        dpn_answer_free(answer);
        dpn_query_free(query);
    }
}

/* Declared bounds lie within those of the grid, and no farther than three steps: what is clamped is what was declared. Both sides are
 * doubles, and rounding a decimal to a double does not pass another one. */
static void bounds_lie_on_the_grid_outside_of_the_declared_ones(void **state) {
    draw_source source = {20261119};
    (void)state;
    for (int i = 0; i < 2000; i++) {
        char lower[40], upper[40];
        dpn_measure made;
        dpn_error why;
        double low = draw_uniform(&source, -1000, 1000), high = low + draw_log_uniform(&source, 0.01, 1e5);
        snprintf(lower, sizeof lower, "%.5f", low);
        snprintf(upper, sizeof upper, "%.5f", high);
        if (dpn_measure_make(&made, 0, lower, upper, i % 2, &why)) fail_msg("%s", why.sentence);
        double step = ldexp(1, made.exponent), least = step * (double)made.lower, most = step * (double)made.upper;
        low = strtod(lower, NULL);
        high = strtod(upper, NULL);
        if (!(least <= low && least > low - 3 * step && most >= high && most < high + 3 * step))
            fail_msg("[%s, %s] becomes [%.17g, %.17g]", lower, upper, least, most);
        assert_true(2 * made.middle == made.lower + made.upper);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_the_statistics), cmocka_unit_test(counts_are_whole),
                                       cmocka_unit_test(bounds_lie_on_the_grid_outside_of_the_declared_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
