/* How well each method of fitting does at its defaults on the eight data sets of Muthukrishnan and Kalyani's Table III, at epsilon 1 and delta 1/N^2, or pure:
 * means over splits of 80% and 20%, the same splits for all methods; R^2, or the share of labels that are told right, of the 20%.
 *
 * usage: bench-methods DIRECTORY [SPLITS [EPSILON [WORD...]]]
 *
 * Words are names of sets and methods, without which there are all of them; cd:40 is a method with 40 passes. The word pure makes delta 0, and no-rows leaves out
 * how many rows there are.
 *
 * Sets that are made up are there for who names them: five features, uniform in -1..1, and a label that is 1 where (3,-2,1,2,-1).x plus logistic noise
 * is above 0 (made-logistic, pure, and made-cd, delta 0.001), or a target (.3,-.2,.1,.2,-.1).x + 0.1 N(0,1) (made-linear, pure). linear:N:K and logistic:N:K have N rows
 * and K features that are normal with a standard deviation of 0.3 and correlations of 0.5, as columns of real tables are narrow between their bounds, and go together; what they
 * explain is 0.6 of the target's variance, 0.09, or the label is whether that target is above 0. Their bounds are -1..1.
 *
 * Bounds of columns are those of the whole table, as if they were public, and so is the number of rows that are fitted; labels are those that fit
 * the printed errors: longitude above its mean for "houses", red or white for wine. */
#include "learn/method.h"

#include <dpnoise/learn.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 16, METHODS = 24, NAME = 64 };

static const struct set {
    const char *name, *file, *target, *left_out;
    dpn_fit_kind kind;
    size_t made; /* so many rows, made up; 0: read from the file */
    double delta;
    size_t features; /* of narrow ones; 0: five wide ones */
} sets[] = {
    {"houses", "california_housing.csv", "longitude", "", DPN_FIT_LOGISTIC, 0, 0, 0},
    {"wine", "wine_quality.csv", "is_red", "quality", DPN_FIT_LOGISTIC, 0, 0, 0},
    {"pumpkin", "pumpkin_seeds.csv", "class", "", DPN_FIT_LOGISTIC, 0, 0, 0},
    {"heart", "statlog_heart.csv", "heart_disease", "", DPN_FIT_LOGISTIC, 0, 0, 0},
    {"california", "california_housing.csv", "median_house_value", "", DPN_FIT_LINEAR, 0, 0, 0},
    {"boston", "boston_housing.csv", "medv", "", DPN_FIT_LINEAR, 0, 0, 0},
    {"airfoil", "airfoil_self_noise.csv", "scaled_sound_pressure_db", "", DPN_FIT_LINEAR, 0, 0, 0},
    {"diabetes", "diabetes.csv", "progression", "", DPN_FIT_LINEAR, 0, 0, 0},
    {"made-logistic", NULL, "y", "", DPN_FIT_LOGISTIC, 20000, 0, 0},
    {"made-linear", NULL, "y", "", DPN_FIT_LINEAR, 20000, 0, 0},
    {"made-cd", NULL, "y", "", DPN_FIT_LOGISTIC, 10000, 1e-3, 0},
};

/* linear:N:K and logistic:N:K. */
static bool read_made(struct set *out, const char *word) {
    char kind[16], after;
    *out = (struct set){.name = word, .target = "y", .left_out = ""};
    if (sscanf(word, "%15[a-z]:%zu:%zu%c", kind, &out->made, &out->features, &after) != 3) return false;
    out->kind = strcmp(kind, "linear") == 0 ? DPN_FIT_LINEAR : DPN_FIT_LOGISTIC;
    return out->kind == DPN_FIT_LINEAR || strcmp(kind, "logistic") == 0;
}

/* What is no method. */
static bool is_set(const char *word) {
    struct set made;
    bool found = strcmp(word, "pure") == 0 || strcmp(word, "no-rows") == 0 || read_made(&made, word);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) found |= strcmp(sets[i].name, word) == 0;
    return found;
}

/* ---- Tables ---- */

typedef struct table {
    size_t columns, rows; /* column 0 is the target */
    char name[COLUMNS][NAME];
    double *value; /* rows times columns */
} table;

static size_t split_line(char *line, char **field) {
    size_t count = 0;
    for (char *at = strtok(line, ",\r\n"); at && count < COLUMNS; at = strtok(NULL, ",\r\n")) field[count++] = at;
    return count;
}

/* Words are labels: the first one is 0, others are 1. */
static double number_of(const char *text) {
    char *end;
    double value = strtod(text, &end);
    return *end ? strcmp(text, "cercevelik") != 0 : value;
}

static int read_table(table *out, const char *directory, const struct set *set) {
    char path[4096], line[4096], *field[COLUMNS];
    size_t from[COLUMNS], room = 0;
    snprintf(path, sizeof path, "%s/%s", directory, set->file);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) return fprintf(stderr, "%s cannot be read\n", path), 1;
    size_t columns = split_line(line, field);
    *out = (table){.columns = 1};
    for (size_t c = 0; c < columns; c++) {
        size_t to = strcmp(field[c], set->target) == 0     ? 0
                    : strcmp(field[c], set->left_out) == 0 ? COLUMNS
                                                           : out->columns++;
        from[c] = to;
        if (to < COLUMNS) snprintf(out->name[to], NAME, "%s", field[c]);
    }
    while (fgets(line, sizeof line, file)) {
        if (split_line(line, field) != columns) continue;
        if (out->rows == room)
            out->value = realloc(out->value, (room = 2 * room + 1024) * out->columns * sizeof(double));
        for (size_t c = 0; c < columns; c++)
            if (from[c] < COLUMNS) out->value[out->rows * out->columns + from[c]] = number_of(field[c]);
        out->rows++;
    }
    fclose(file);
    return 0;
}

static uint64_t state;
static double uniform(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 12) + 0.5) * 0x1p-52;
}

static int make_table(table *out, const struct set *set) {
    static const double b[] = {3, -2, 1, 2, -1};
    enum { FEATURES = sizeof b / sizeof *b };
    bool linear = set->kind == DPN_FIT_LINEAR;
    *out = (table){.columns = FEATURES + 1, .rows = set->made};
    out->value = malloc(set->made * out->columns * sizeof(double));
    for (size_t c = 0; c < out->columns; c++) snprintf(out->name[c], NAME, c ? "x%zu" : "y", c);
    for (size_t r = 0; r < set->made && out->value; r++) {
        double *row = out->value + r * out->columns, t = 0, u = uniform();
        for (size_t j = 0; j < FEATURES; j++) t += b[j] * (row[j + 1] = 2 * uniform() - 1);
        double z = sqrt(-2 * log(u)) * cos(6.283185307179586 * uniform());
        row[0] = linear ? fmin(fmax(0.1 * t + 0.1 * z, -1), 1) : t + log(u / (1 - u)) > 0 ? 1 : -1;
    }
    return out->value ? 0 : 1;
}

static double normal(void) {
    double size = sqrt(-2 * log(uniform()));
    return size * cos(6.283185307179586 * uniform());
}

/* b.x has the variance a^2 (0.5 sum of b_j^2 + 0.5 (sum of b_j)^2) where x_j = a (sqrt(0.5) common + sqrt(0.5) own). */
static int make_narrow_table(table *out, const struct set *set) {
    static const double b[] = {3, -2, 1, 2, -1};
    const double half = sqrt(0.5), narrow = 0.3;
    double sum = 0, squares = 0;
    *out = (table){.columns = set->features + 1, .rows = set->made};
    out->value = out->columns <= COLUMNS ? malloc(set->made * out->columns * sizeof(double)) : NULL;
    for (size_t c = 0; c < out->columns && out->value; c++) snprintf(out->name[c], NAME, c ? "x%zu" : "y", c);
    for (size_t j = 0; j < set->features; j++) {
        sum += b[j % 5];
        squares += b[j % 5] * b[j % 5];
    }
    double explained = sqrt(0.6 / (0.5 * squares + 0.5 * sum * sum));
    for (size_t r = 0; r < set->made && out->value; r++) {
        double *row = out->value + r * out->columns, common = normal(), t = 0;
        for (size_t j = 0; j < set->features; j++) {
            row[j + 1] = fmin(fmax(narrow * half * (common + normal()), -1), 1);
            t += b[j % 5] * row[j + 1];
        }
        t = explained * t + narrow * sqrt(0.4) * normal();
        row[0] = set->kind == DPN_FIT_LINEAR ? fmin(fmax(t, -1), 1) : t > 0 ? 1 : -1;
    }
    return out->value ? 0 : 1;
}

/* The label of a logistic fit is whether the target is above its mean. */
static void make_labels(table *of) {
    double mean = 0;
    for (size_t r = 0; r < of->rows; r++) mean += of->value[r * of->columns] / (double)of->rows;
    for (size_t r = 0; r < of->rows; r++) of->value[r * of->columns] = of->value[r * of->columns] >= mean;
}

static dpn_declaration declare(const table *of, bool made, double epsilon, double delta) {
    dpn_declaration out;
    dpn_error why;
    char text[256];
    snprintf(text, sizeof text, "{\"epsilon\": \"%.15g\", \"delta\": \"%.15g\"}", epsilon, delta);
    if (dpn_declaration_read(&out, text, strlen(text), &why)) fprintf(stderr, "%s\n", why.sentence), exit(1);
    for (size_t c = 0; c < of->columns; c++) {
        double least = made ? -1 : DBL_MAX, most = made ? 1 : -DBL_MAX;
        for (size_t r = 0; r < of->rows; r++) {
            least = fmin(least, of->value[r * of->columns + c]);
            most = fmax(most, of->value[r * of->columns + c]);
        }
        snprintf(text, sizeof text, "%s:%.15g:%.15g", of->name[c], least, most);
        if (dpn_declare_statistic(&out, DPN_STATISTIC_MEAN, text, &why)) fprintf(stderr, "%s\n", why.sentence), exit(1);
    }
    return out;
}

/* ---- Splits ---- */

static size_t below(size_t count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((state >> 33) * count >> 31);
}

static void add(dpn_rows *to, const dpn_rows *from, size_t row) {
    int32_t step[COLUMNS + 2];
    for (size_t c = 0; c < from->columns; c++)
        step[c] = dpn_rows_column(from, row / DPN_ROWS_A_BLOCK, c)[row % DPN_ROWS_A_BLOCK];
    if (dpn_rows_add(to, step, NULL)) exit(1);
}

static void split(dpn_rows *train, dpn_rows *test, const dpn_rows *all, size_t *order) {
    for (size_t i = all->count; i > 1; i--) {
        size_t j = below(i), other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
    size_t most = (size_t)nearbyint(0.8 * (double)all->count);
    for (size_t i = 0; i < all->count; i++) add(i < most ? train : test, all, order[i]);
}

/* The rows of a split, for a fit without noise in the form that it reads (exact.h). */
static void give(dpn_fit *fit, const dpn_rows *rows) {
    size_t width = rows->columns;
    fit->rows = *rows;
    if (!fit->method->is_not_private) return;
    free(fit->exact);
    fit->exact = malloc(rows->count * width * sizeof *fit->exact);
    fit->exact_room = fit->exact ? rows->count : 0;
    if (!fit->exact) exit(1);
    for (size_t r = 0; r < rows->count; r++)
        for (size_t c = 0; c < width; c++)
            fit->exact[r * width + c] =
                ldexp(dpn_rows_column(rows, r / DPN_ROWS_A_BLOCK, c)[r % DPN_ROWS_A_BLOCK], -DPN_UNIT_LOG);
}

/* R^2, or the share of labels told right. */
static double score(const dpn_fit *fit, const double *b, const dpn_rows *test) {
    double n = (double)test->count, right = 0, residual = 0, sum = 0, squares = 0;
    for (size_t r = 0; r < test->count; r++) {
        double said = 0, y = dpn_rows_column(test, r / DPN_ROWS_A_BLOCK, dpn_target_column(fit))[r % DPN_ROWS_A_BLOCK];
        for (size_t c = 0; c <= fit->features; c++)
            said += b[c] * dpn_rows_column(test, r / DPN_ROWS_A_BLOCK, c)[r % DPN_ROWS_A_BLOCK];
        right += (said > 0) == (y > 0);
        said = fmin(fmax(said, -DPN_UNIT), DPN_UNIT);
        residual += (y - said) * (y - said);
        sum += y;
        squares += y * y;
    }
    return fit->options.kind == DPN_FIT_LOGISTIC ? right / n : 1 - residual / (squares - sum * sum / n);
}

/* ---- A set ---- */

typedef struct entry {
    char name[NAME], chosen[NAME];
    dpn_fit *fit;
    double *score;
} entry;

/* Whether there is such a method for the set; `word` is its name, or with a colon its passes. */
static bool plan_one(entry *made, const struct set *set, const dpn_declaration *declared, double train,
                     const char *word) {
    dpn_fit_options options = dpn_fit_options_init();
    dpn_error why;
    char name[NAME];
    snprintf(made->name, NAME, "%s", word);
    snprintf(name, NAME, "%.*s", (int)strcspn(word, ":"), word);
    options.kind = set->kind;
    options.rows = train;
    options.method = name;
    if (strchr(word, ':')) options.passes = strtoul(strchr(word, ':') + 1, NULL, 10);
    if (dpn_fit_new(&made->fit, &options, NULL)) return false;
    if (dpn_fit_plan(made->fit, declared, &why)) {
        printf("# %s %s: %s\n", set->name, word, why.sentence);
        dpn_fit_free(made->fit);
        return false;
    }
    snprintf(made->chosen, NAME, "%s", made->fit->method->name);
    return true;
}

static size_t plan_all(entry *of, const struct set *set, const dpn_declaration *declared, double train, char **asked,
                       int many) {
    size_t count = 0, words = 0;
    for (int k = 0; k < many && count < METHODS; k++) {
        if (is_set(asked[k])) continue;
        words++;
        count += plan_one(&of[count], set, declared, train, asked[k]);
    }
    for (size_t i = 0; words == 0 && dpn_fit_method_name(i) && count < METHODS; i++)
        count += plan_one(&of[count], set, declared, train, dpn_fit_method_name(i));
    return count;
}

static int by_size(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double median(const double *score, size_t count) {
    double *sorted = malloc(count * sizeof *sorted), middle = NAN;
    if (!sorted) return middle;
    memcpy(sorted, score, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    middle = 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
    free(sorted);
    return middle;
}

static void tell(const struct set *set, const entry *of, size_t count, size_t splits) {
    const entry *best = NULL, *automatic = NULL;
    double most = -INFINITY;
    for (size_t m = 0; m < count; m++) {
        double mean = 0, squares = 0;
        for (size_t s = 0; s < splits; s++) mean += of[m].score[s] / (double)splits;
        for (size_t s = 0; s < splits; s++) squares += (of[m].score[s] - mean) * (of[m].score[s] - mean);
        bool is_auto = strcmp(of[m].name, "auto") == 0;
        printf("%-13s %-18s %9.4f  +-%.4f  median %.4f%s%s\n", set->name, of[m].name, mean,
               sqrt(squares / (double)splits / (double)(splits - 1)), median(of[m].score, splits), is_auto ? "  " : "",
               is_auto ? of[m].chosen : "");
        if (is_auto) automatic = &of[m];
        if (is_auto || strcmp(of[m].name, "non-private") == 0 || !(mean > most)) continue;
        most = mean;
        best = &of[m];
    }
    if (!best || !automatic) return;
    double mean = 0, squares = 0;
    for (size_t s = 0; s < splits; s++) mean += (automatic->score[s] - best->score[s]) / (double)splits;
    for (size_t s = 0; s < splits; s++) {
        double by = automatic->score[s] - best->score[s] - mean;
        squares += by * by;
    }
    printf("%-13s auto - %-11s %+.4f +-%.4f\n", set->name, best->name, mean,
           sqrt(squares / (double)splits / (double)(splits - 1)));
    fflush(stdout);
}

static int run_set(const char *directory, const struct set *set, size_t splits, double epsilon, bool pure, char **asked,
                   int many, dpn_rng *rng) {
    table data;
    entry of[METHODS] = {{{0}, {0}, NULL, NULL}};
    dpn_error why;
    if (set->features ? make_narrow_table(&data, set)
        : set->made   ? make_table(&data, set)
                      : read_table(&data, directory, set))
        return 1;
    if (set->kind == DPN_FIT_LOGISTIC) make_labels(&data);
    double train = nearbyint(0.8 * (double)data.rows);
    double delta = pure ? 0 : set->made && !set->features ? set->delta : 1 / (train * train);
    dpn_declaration declared = declare(&data, set->made > 0, epsilon, delta);
    bool said = true;
    for (int k = 0; k < many; k++) said &= strcmp(asked[k], "no-rows") != 0;
    size_t count = plan_all(of, set, &declared, said ? train : 0, asked, many);
    size_t *order = malloc(data.rows * sizeof *order);
    if (count == 0 || !order || dpn_fit_numbers(of[0].fit, data.value, data.rows, &why)) return 1;
    dpn_rows all = of[0].fit->rows;
    size_t width = of[0].fit->features + 1;
    double *b = malloc(width * sizeof *b), *covariance = malloc(width * width * sizeof *covariance);
    for (size_t r = 0; r < data.rows; r++) order[r] = r;
    for (size_t m = 0; m < count; m++) of[m].score = calloc(splits, sizeof(double));
    for (size_t s = 0; s < splits; s++) {
        dpn_rows some = {.columns = all.columns}, rest = {.columns = all.columns};
        split(&some, &rest, &all, order);
        for (size_t m = 0; m < count; m++) {
            give(of[m].fit, &some);
            if (dpn_fit_run_again(b, covariance, of[m].fit, rng, &why)) printf("# %s: %s\n", of[m].name, why.sentence);
            of[m].score[s] = score(of[m].fit, b, &rest);
            of[m].fit->rows = (dpn_rows){.columns = all.columns};
        }
        dpn_rows_free(&some);
        dpn_rows_free(&rest);
    }
    tell(set, of, count, splits);
    for (size_t m = 0; m < count; m++) {
        dpn_fit_free(of[m].fit);
        free(of[m].score);
    }
    dpn_rows_free(&all);
    dpn_declaration_free(&declared);
    free(order);
    free(b);
    free(covariance);
    free(data.value);
    return 0;
}

static bool has(char **argument, int count, const char *word) {
    bool found = false;
    for (int k = 4; k < count; k++) found |= strcmp(argument[k], word) == 0;
    return found;
}

int main(int count, char **argument) {
    dpn_rng *rng = NULL;
    if (count < 2) return puts("usage: bench-methods DIRECTORY [SPLITS [EPSILON [WORD...]]]"), 0;
    size_t splits = count > 2 ? strtoul(argument[2], NULL, 10) : 50;
    double epsilon = count > 3 ? strtod(argument[3], NULL) : 1;
    int failed = splits < 2 || dpn_rng_new(&rng, NULL);
    int named = 0, asked = count > 4 ? count - 4 : 0;
    bool pure = has(argument, count, "pure");
    for (int k = 4; k < count; k++)
        named += is_set(argument[k]) && strcmp(argument[k], "pure") != 0 && strcmp(argument[k], "no-rows") != 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets && !failed; i++) {
        bool wanted = named == 0 && !sets[i].made;
        for (int k = 4; k < count; k++) wanted |= strcmp(argument[k], sets[i].name) == 0;
        state = 20261117; /* the same splits, whichever sets are asked for */
        if (wanted) failed = run_set(argument[1], &sets[i], splits, epsilon, pure, argument + 4, asked, rng);
    }
    for (int k = 4; k < count && !failed; k++) {
        struct set made;
        state = 20261117;
        if (read_made(&made, argument[k]))
            failed = run_set(argument[1], &made, splits, epsilon, pure, argument + 4, asked, rng);
    }
    dpn_rng_free(rng);
    return failed;
}
