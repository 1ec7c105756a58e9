/* Sensitivity spaces from the shell: the moves in a file, those of linear statistics, and those of monomials of random records. */
#include "input/sensitivity.h"
#include "kit/fail.h"
#include "knorm/knorm.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The box of the records: -1 and 1 unless --low and --high say otherwise. */
struct box {
    double *low, *high;
};

static dpn_status read_side(double *out, size_t inputs, double usual, const char *option,
                            const struct arguments *arguments, dpn_error *why) {
    struct numbers given = {0};
    dpn_status status = arguments_numbers(&given, arguments, option, NUMBER_FINITE, why);
    if (!status && given.count && given.count != inputs)
        status = refuse(why, DPN_EPARSE, "%s has %zu numbers, but a record has %zu", option, given.count, inputs);
    for (size_t i = 0; i < inputs && !status; i++) out[i] = given.count ? given.at[i] : usual;
    free(given.at);
    return status;
}

static dpn_status read_box(struct box *out, size_t inputs, const struct arguments *arguments, dpn_error *why) {
    out->low = calloc(inputs, sizeof *out->low);
    out->high = calloc(inputs, sizeof *out->high);
    if (!out->low || !out->high) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = read_side(out->low, inputs, -1, "--low", arguments, why);
    return status ? status : read_side(out->high, inputs, 1, "--high", arguments, why);
}

static void free_box(struct box *box) {
    free(box->low);
    free(box->high);
}

static dpn_status make_room(struct knorm_question *out, size_t rows, size_t dimension, dpn_error *why) {
    out->space = calloc(rows * dimension, sizeof *out->space);
    if (!out->space) return refuse(why, DPN_ENOMEM, "out of memory");
    out->moves = rows;
    out->dimension = dimension;
    return DPN_OK;
}

/* ---- Linear statistics ---- */

static dpn_status read_linear(struct knorm_question *out, const char *file, const struct arguments *arguments,
                              dpn_error *why) {
    double *matrix = NULL;
    size_t inputs = 0, rows = 0;
    struct box box = {0};
    dpn_status status = points_read(&matrix, &inputs, &rows, "--linear", file, why);
    if (!status && inputs > 20) status = refuse(why, DPN_EDOMAIN, "--linear: at most 20 numbers a record");
    if (!status) status = read_box(&box, inputs, arguments, why);
    if (!status) status = make_room(out, (size_t)1 << (inputs - 1), rows, why);
    if (!status) status = dpn_space_linear(out->space, rows, matrix, inputs, box.low, box.high, why);
    free_box(&box);
    free(matrix);
    return status;
}

/* ---- Monomials ---- */

enum { MOST_INPUTS = 20, MOST_TERMS = 256 };

/* factor x1^power[0] x2^power[1] ... */
struct monomial {
    double factor;
    int power[MOST_INPUTS];
};

struct monomials {
    struct monomial term[MOST_TERMS];
    size_t terms, inputs;
};

static dpn_status read_factor(struct monomial *out, size_t *inputs, const char *text, dpn_error *why) {
    char *end;
    if (text[0] != 'x') {
        double number;
        if (dpn_number_parse(&number, text, NULL))
            return refuse(why, DPN_EPARSE, "--monomials: '%.40s' is neither a number nor x1, x2^3 and so on", text);
        out->factor *= number;
        return DPN_OK;
    }
    unsigned long input = strtoul(text + 1, &end, 10), power = 1;
    if (*end == '^') power = strtoul(end + 1, &end, 10);
    if (*end || input < 1 || input > MOST_INPUTS || power < 1 || power > 20)
        return refuse(why, DPN_EPARSE, "--monomials: '%.40s' is not x1 to x20 with a power up to 20", text);
    out->power[input - 1] += (int)power;
    if (input > *inputs) *inputs = input;
    return DPN_OK;
}

/* "2*x1^2" */
static dpn_status read_monomial(struct monomial *out, size_t *inputs, char *text, dpn_error *why) {
    *out = (struct monomial){.factor = 1};
    dpn_status status = DPN_OK;
    for (char *star; text && !status; text = star) {
        star = strchr(text, '*');
        if (star) *star++ = '\0';
        status = read_factor(out, inputs, text, why);
    }
    return status;
}

static dpn_status read_terms(struct monomials *out, const char *list, dpn_error *why) {
    size_t length = strlen(list);
    char *copy = calloc(length + 1, 1);
    if (!copy) return refuse(why, DPN_ENOMEM, "out of memory");
    memcpy(copy, list, length);
    dpn_status status = DPN_OK;
    for (char *text = copy, *comma; text && !status; text = comma) {
        comma = strchr(text, ',');
        if (comma) *comma++ = '\0';
        if (out->terms == MOST_TERMS) status = refuse(why, DPN_EDOMAIN, "--monomials: at most %d", MOST_TERMS);
        if (!status) status = read_monomial(&out->term[out->terms++], &out->inputs, text, why);
    }
    free(copy);
    if (!status && out->inputs == 0) status = refuse(why, DPN_EPARSE, "--monomials: there is no x1 in '%.40s'", list);
    return status;
}

static void evaluate(double *out, void *context, const double *record) {
    const struct monomials *all = context;
    for (size_t t = 0; t < all->terms; t++) {
        out[t] = all->term[t].factor;
        for (size_t i = 0; i < all->inputs; i++)
            for (int k = 0; k < all->term[t].power[i]; k++) out[t] *= record[i];
    }
}

static dpn_status read_sampled(struct knorm_question *out, const char *list, const struct arguments *arguments,
                               dpn_error *why) {
    struct monomials *all = calloc(1, sizeof *all);
    struct box box = {0};
    uint64_t moves = 1000;
    dpn_status status = all ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    if (!status) status = read_terms(all, list, why);
    if (!status) status = arguments_count(&moves, arguments, "--moves", why);
    if (!status && moves > 100000) status = refuse(why, DPN_EDOMAIN, "--moves: at most 1e5");
    if (!status) status = read_box(&box, all->inputs, arguments, why);
    if (!status) status = make_room(out, (size_t)moves, all->terms, why);
    if (!status)
        status = dpn_space_sampled(out->space, out->moves, all->terms, all->inputs, box.low, box.high, evaluate, all,
                                   out->rng, why);
    out->sampled = true;
    free_box(&box);
    free(all);
    return status;
}

dpn_status knorm_read_space(struct knorm_question *out, const struct arguments *arguments, dpn_error *why) {
    const char *file = arguments_value(arguments, "--space"), *linear = arguments_value(arguments, "--linear");
    const char *monomials = arguments_value(arguments, "--monomials");
    if (!!file + !!linear + !!monomials > 1)
        return refuse(why, DPN_EPARSE, "--space, --linear and --monomials are three ways to tell one space: give one");
    if (!linear && !monomials && (arguments_have(arguments, "--low") || arguments_have(arguments, "--high")))
        return refuse(why, DPN_EPARSE, "--low and --high are the box of --linear and --monomials");
    if (linear) return read_linear(out, linear, arguments, why);
    if (monomials) return read_sampled(out, monomials, arguments, why);
    return file ? points_read(&out->space, &out->dimension, &out->moves, "--space", file, why) : DPN_OK;
}
