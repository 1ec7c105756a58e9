#include "reference/record.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double limit = 1e-13, limit_tiny = 3e-13, tiny = 1e-250;

#define NAME(member) #member,
static const char *const names[] = {RECORD_AT_POINTS(NAME) RECORD_OF_LAWS(NAME)};

const char *record_member_name(record_member member) {
    return names[member];
}

/* Values and answers that are no finite numbers. An infinite answer to a finite question is right only if the value
 * rounds to it. */
static bool special(double got, real value, bool *ok) {
    if (mpfr_nan_p(value)) return *ok = isnan(got), true;
    if (mpfr_inf_p(value)) return *ok = isinf(got) && (got > 0) == (r_sign(value) > 0), true;
    if (isnan(got)) return *ok = false, true;
    if (isinf(got)) return *ok = r_double(value) == got, true;
    return false;
}

static double distance(double got, real value) {
    return r_double(r_abs(r_sub(r_num(got), value)));
}

static double relative(double got, real value) {
    return r_double(r_abs(r_div(r_sub(r_num(got), value), value)));
}

bool record_compare(record_table *table, record_member member, record_measure measure, double got, real value,
                    double *error) {
    size_t mark = r_mark();
    bool ok;
    table->points[member]++;
    if (special(got, value, &ok)) {
        *error = ok ? 0 : INFINITY;
        return ok;
    }
    double size = fabs(r_double(value));
    if (measure == RECORD_MIXED && size < 1) {
        *error = distance(got, value);
        size = 1;
    } else if (size < DBL_MIN) {
        *error = distance(got, value) / 0x1p-1074;
        r_release(mark);
        return *error <= 4 + limit_tiny * size / 0x1p-1074;
    } else {
        *error = relative(got, value);
    }
    r_release(mark);
    double *worst = size < tiny ? &table->worst_tiny[member] : &table->worst[member];
    if (*error > *worst) *worst = *error;
    return *error <= (size < tiny ? limit_tiny : limit);
}

bool record_error(record_table *table, record_member member, double error) {
    table->points[member]++;
    if (error > table->worst[member]) table->worst[member] = error;
    return error <= limit;
}

static FILE *open_in(const char *directory, const char *name, const char *mode) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s.txt", directory, name);
    return length > 0 && (size_t)length < sizeof path ? fopen(path, mode) : NULL;
}

bool record_write(const record_table *table, const char *directory, const char *name) {
    FILE *file = open_in(directory, name, "w");
    if (!file) return false;
    for (int m = 0; m < RECORD_MEMBERS; m++) {
        fprintf(file, "%s %ld %.17g %.17g\n", names[m], table->points[m], table->worst[m], table->worst_tiny[m]);
    }
    return fclose(file) == 0;
}

bool record_read(record_table *table, const char *directory, const char *name) {
    FILE *file = open_in(directory, name, "r");
    if (!file) return false;
    char member[32];
    bool ok = true;
    for (int m = 0; m < RECORD_MEMBERS && ok; m++) {
        ok =
            fscanf(file, "%31s %ld %lg %lg", member, &table->points[m], &table->worst[m], &table->worst_tiny[m]) == 4 &&
            strcmp(member, names[m]) == 0;
    }
    fclose(file);
    return ok;
}

static void print_head(FILE *out, int from, int to) {
    fprintf(out, "| family | points |");
    for (int m = from; m < to; m++) fprintf(out, " %s |", names[m]);
    fprintf(out, "\n|---|---:|");
    for (int m = from; m < to; m++) fprintf(out, "---:|");
    fprintf(out, "\n");
}

static void print_cell(FILE *out, long points, double worst) {
    if (points == 0 || worst < 0)
        fprintf(out, " |");
    else if (worst == 0)
        fprintf(out, " 0 |");
    else
        fprintf(out, " %.1e |", worst);
}

static bool print_table(FILE *out, const char *directory, const char *(*name)(size_t), int from, int to, bool small) {
    print_head(out, from, to);
    for (size_t i = 0; name(i); i++) {
        record_table table = {0};
        if (!record_read(&table, directory, name(i))) return false;
        fprintf(out, "| %s | %ld |", name(i), table.points[from]);
        for (int m = from; m < to; m++) {
            print_cell(out, table.points[m], small ? table.worst_tiny[m] : table.worst[m]);
        }
        fprintf(out, "\n");
    }
    fprintf(out, "\n");
    return true;
}

bool record_print_page(FILE *out, const char *directory, const char *(*name)(size_t index)) {
    fputs("# Accuracy of the law members\n\n"
          "This page is written by the test run: `./dev test --long` measures, `t-accuracy --assemble` prints. Do not "
          "edit\n"
          "it. All figures are *measured*: the largest error seen, against references of 200 bits and more that share "
          "no\n"
          "code with the library (`tests/reference/`, MPFR, parameters and arguments at their exact binary values).\n\n"
          "- Parameters are drawn from their whole domains, ratios of parameters from 1e-12 to 1e6 and at times from "
          "1e-100\n"
          "  to 1e100, scales on the integers from 1e-2 to 1e9 and at times from 1e-50 to 1e12; arguments at quantiles "
          "from\n"
          "  1e-300 to 1/2 on both sides, near zero, at and beside the bends and jumps of the density, and far beyond\n"
          "  underflow; probabilities from 1e-300 to 1 - 2^-53.\n"
          "- The error is relative; for `log_pdf`, `log_mgf` and the `entropy` of continuous laws it is divided by\n"
          "  max(1, |value|), because they cross zero.\n"
          "- `quantile` and `isf` of continuous laws: relative error of the point. On the integers: by how much, "
          "relative to\n"
          "  p, the tail at the answer or its neighbour misses p. Each is asked at half of the points.\n"
          "- The test fails above 1e-13, above 3e-13 for values below 1e-250, and above four units of 2^-1074 for "
          "values\n"
          "  below the smallest normal double. An empty cell: infinite, undefined, or no such value.\n\n"
          "## At a point\n\n",
          out);
    if (!print_table(out, directory, name, RECORD_pdf, RECORD_variance, false)) return false;
    fputs("The same where the value lies below 1e-250 and is normal:\n\n", out);
    if (!print_table(out, directory, name, RECORD_pdf, RECORD_psi, true)) return false;
    fputs(
        "## Of the whole law\n\nThe number of points is that of the laws; `log_mgf` is asked four times for each.\n\n",
        out);
    return print_table(out, directory, name, RECORD_variance, RECORD_MEMBERS, false);
}
