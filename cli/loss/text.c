/* The answer of `dpnoise loss` for people: each law with each shift, its facts and a table for every question. */
#include "kit/table.h"
#include "loss/loss.h"
#include "words/decimal.h"

#include <math.h>

enum { DIGITS = 10 };

/* A row of the head of a table. */
static void set_head(struct table *table, const char *const *head) {
    for (size_t i = 0; i < table->columns; i++) table_set(table, 0, i, "%s", head[i]);
}

static void end_table(struct table *table) {
    putchar('\n');
    table_print(stdout, table, 2);
    table_free(table);
}

static dpn_status print_whole(const struct loss_curve *curve, dpn_error *why) {
    struct table table;
    dpn_status status = table_make(&table, curve->has_terms ? 4 : 1, 2, why);
    if (status) return status;
    char text[DPN_LAW_TEXT_SIZE], offset[DPN_NUMBER_SIZE];
    printf("%s, shift %.10g\n", dpn_law_print(text, &curve->law), curve->shift);
    table.left = 2;
    table_set(&table, 0, 0, "affine bound");
    if (curve->has_affine)
        table_set(&table, 0, 1, "%.10g t + %s", curve->affine.slope,
                  decimal_print_up(offset, curve->affine.offset, DIGITS));
    else
        table_set(&table, 0, 1, "none");
    if (curve->has_terms) {
        const char *const name[] = {"R_D(alpha)", "omega", "theta"};
        const double value[] = {curve->r, curve->terms.omega, curve->terms.theta};
        for (size_t i = 0; i < 3; i++) {
            table_set(&table, i + 1, 0, "%s", name[i]);
            table_set_number(&table, i + 1, 1, value[i]);
        }
    }
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

static dpn_status print_points(const struct loss_curve *curve, const struct numbers *at, dpn_error *why) {
    static const char *const head[] = {"t", "loss", "at most", "centred loss", "at most"};
    struct table table;
    dpn_status status = at->count ? table_make(&table, at->count + 1, curve->has_affine ? 5 : 3, why) : DPN_OK;
    if (status || !at->count) return status;
    size_t centred = curve->has_affine ? 3 : 2;
    set_head(&table, head);
    table_set(&table, 0, centred, "%s", head[3]);
    for (size_t i = 0; i < at->count; i++) {
        double t = at->at[i];
        table_set_number(&table, i + 1, 0, t);
        table_set_number(&table, i + 1, 1, dpn_privacy_loss(&curve->law, curve->shift, t));
        table_set_number(&table, i + 1, centred, dpn_privacy_loss_centred(&curve->law, curve->shift, t));
        if (!curve->has_affine) continue;
        table_set_number(&table, i + 1, 2, loss_bound(curve, t));
        table_set_number(&table, i + 1, 4, loss_bound_centred(curve, t));
    }
    end_table(&table);
    return DPN_OK;
}

static dpn_status print_thresholds(const struct loss_curve *curve, const struct numbers *epsilon, uint64_t dimension,
                                   dpn_error *why) {
    static const char *const head[] = {"epsilon", "centred loss above it from", "t1",       "t2", "delta",
                                       "case",    "Algorithm 2 as printed",     "corrected"};
    static const char *const cases[] = {"", "i", "ii", "iii", "iv", "v"};
    struct table table;
    size_t columns = dimension ? 8 : curve->has_terms ? 6 : 5;
    dpn_status status = epsilon->count ? table_make(&table, epsilon->count + 1, columns, why) : DPN_OK;
    if (status || !epsilon->count) return status;
    set_head(&table, head);
    for (size_t i = 0; i < epsilon->count && !status; i++) {
        struct loss_threshold at;
        char delta[DPN_NUMBER_SIZE];
        status = loss_threshold_at(&at, curve, epsilon->at[i], dimension, why);
        if (status) break;
        const double value[] = {epsilon->at[i], at.z, at.t1, at.t2};
        for (size_t k = 0; k < 4; k++) table_set_number(&table, i + 1, k, value[k]);
        table_set(&table, i + 1, 4, "%s", decimal_print_up(delta, at.delta.upper, DIGITS));
        if (curve->has_terms) table_set(&table, i + 1, 5, "%s", cases[at.table_case]);
        if (dimension) table_set(&table, i + 1, 6, "%s", decimal_print_up(delta, at.printed.upper, DIGITS));
        if (dimension) table_set(&table, i + 1, 7, "%s", decimal_print_up(delta, at.corrected.upper, DIGITS));
    }
    if (status)
        table_free(&table);
    else
        end_table(&table);
    return status;
}

/* A table of an argument and a value. */
typedef double pair_value(const struct loss_curve *curve, double x);

static double orlicz_value(const struct loss_curve *curve, double s) {
    double value = NAN;
    return dpn_law_orlicz(&value, &curve->law, s, NULL) ? NAN : value;
}

static double r_inverse_value(const struct loss_curve *curve, double nu) {
    return dpn_flipped_huber_r_inverse(fabs(curve->shift), nu);
}

static dpn_status print_pairs(const struct loss_curve *curve, const struct numbers *at, const char *const *head,
                              pair_value *value, dpn_error *why) {
    struct table table;
    dpn_status status = at->count ? table_make(&table, at->count + 1, 2, why) : DPN_OK;
    if (status || !at->count) return status;
    set_head(&table, head);
    for (size_t i = 0; i < at->count; i++) {
        table_set_number(&table, i + 1, 0, at->at[i]);
        table_set_number(&table, i + 1, 1, value(curve, at->at[i]));
    }
    end_table(&table);
    return DPN_OK;
}

dpn_status loss_print_text(const struct loss_question *question, dpn_error *why) {
    static const char *const orlicz_head[] = {"s", "E exp(s X^2/2v)"}, *const r_head[] = {"nu", "alpha with R_D = nu"};
    for (size_t c = 0; c < question->curves; c++) {
        const struct loss_curve *curve = &question->curve[c];
        if (c > 0) putchar('\n');
        dpn_status status = print_whole(curve, why);
        if (!status) status = print_points(curve, &question->at, why);
        if (!status) status = print_thresholds(curve, &question->epsilon, question->dimension, why);
        if (!status) status = print_pairs(curve, &question->orlicz, orlicz_head, orlicz_value, why);
        if (!status) status = print_pairs(curve, &question->r_inverse, r_head, r_inverse_value, why);
        if (status) return status;
    }
    if (question->plot) printf("\nThe picture is in %s.\n", question->plot);
    return DPN_OK;
}
