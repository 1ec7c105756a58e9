/* Losses of rows in whole numbers: b.z is exact, a row's derivative is a whole number of steps of 2^-62, its gradient one of 2^-79, and
 * no sum of 2^27 rows rounds. docs/proofs/learn/objective.md, O6. */
#include "learn/row-loss.h"

#include "base/error.h"
#include "learn/sigmoid.h"

#include <stdlib.h>
#include <string.h>

/* ---- Bounds ---- */

/* The most that |z|^2, and |z|_1, can be: numbers and the constant add 1 each, the levels of a column 1 together. */
static double longest(const dpn_fit *fit) {
    double sum = fit->options.no_intercept ? 0 : 1;
    size_t levels = 0;
    for (size_t j = 0; j < fit->features; j++)
        if (!fit->variable[j].is_level)
            sum += 1;
        else
            levels = fit->variable[j].grouping + 1 > levels ? fit->variable[j].grouping + 1 : levels;
    return sum + (double)levels;
}

/* The set of the coefficients, and the most that |b.z| is on it. */
static double choose_set(dpn_row_loss *made) {
    double within = made->fit->options.within;
    bool ball = made->fit->options.within_l2;
    made->radius = ball ? within : 0;
    made->box = within > 0 && !ball ? within : DPN_ROW_LOSS_BOX;
    return ball ? within * sqrt(made->together) * (1 + 0x1p-50) : made->box * made->together;
}

/* Derivatives of squares have to be bounded, and not by too much. */
static dpn_status refuse_set(const dpn_row_loss *made, dpn_error *why) {
    if (made->fit->options.within == 0)
        return dpn_fail(why, DPN_EDOMAIN,
                        "squares have bounded derivatives on a bounded set alone: declare how large coefficients may "
                        "be (--within)");
    bool ball = made->fit->options.within_l2;
    double most = DPN_ROW_LOSS_MOST_SQUARED / (ball ? sqrt(made->together) * (1 + 0x1p-40) : made->together);
    return dpn_fail(why, DPN_EDOMAIN, "with these features %s is bounded by %.0f at most (--within)",
                    ball ? "the length of all coefficients together" : "the size of each coefficient", floor(most));
}

dpn_status dpn_row_loss_make(dpn_row_loss *out, const dpn_fit *fit, dpn_error *why) {
    bool linear = fit->options.kind == DPN_FIT_LINEAR;
    dpn_row_loss made = {.fit = fit, .from = fit->options.no_intercept, .together = longest(fit)};
    made.m = fit->features + 1 - made.from;
    if (made.m > DPN_ROW_LOSS_COEFFICIENTS)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a minimum is sure to be found for at most %d coefficients",
                        DPN_ROW_LOSS_COEFFICIENTS);
    double most = choose_set(&made);
    if (linear && !(most <= DPN_ROW_LOSS_MOST_SQUARED)) return refuse_set(&made, why);
    made.slope = linear ? 1 + most : 1;
    made.curvature = linear ? 1 : 0.25;
    made.sum = calloc(made.m, sizeof *made.sum);
    made.row = calloc(made.m, sizeof *made.row);
    *out = made;
    return made.sum && made.row ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
}

void dpn_row_loss_free(dpn_row_loss *loss) {
    free(loss->sum);
    free(loss->row);
    *loss = (dpn_row_loss){0};
}

double dpn_row_loss_gradient(const dpn_row_loss *loss, dpn_ball_kind ball) {
    double root = sqrt(loss->together) * (1 + 0x1p-50);
    return loss->slope * (ball == DPN_BALL_L1 ? loss->together : ball == DPN_BALL_L2 ? root : 1);
}

double dpn_row_loss_eigenvalue(const dpn_row_loss *loss) {
    return loss->curvature * loss->together;
}

/* ---- Sums ---- */

enum { UNIT = DPN_SIGMOID_LOG, TO_64 = DPN_POINT_LOG + DPN_UNIT_LOG - 64, TO_UNIT = TO_64 + 64 - UNIT };

/* The derivative of a row's loss by t = b.z in steps of 2^-62, t in steps of 2^-85; *second, about its second derivative. */
static dpn_int128 differentiate_logistic(double *second, dpn_int128 t, int32_t target) {
    int64_t tail = dpn_sigmoid_tail((dpn_uint128)(t < 0 ? -t : t) >> TO_64);
    double p = ldexp((double)tail, -UNIT);
    *second = p * (1 - p);
    const int64_t one = (int64_t)1 << UNIT;
    return (t < 0 ? tail : one - tail) - (target > 0 ? one : 0);
}

static dpn_int128 differentiate_square(double *second, dpn_int128 t, int32_t target) {
    *second = 1;
    return (t >> TO_UNIT) - target * ((dpn_int128)1 << (UNIT - DPN_UNIT_LOG));
}

static void add_row(dpn_row_loss *loss, double *hessian, const dpn_int128 *b, size_t block, size_t r) {
    const dpn_rows *rows = &loss->fit->rows;
    size_t m = loss->m;
    dpn_int128 t = 0;
    double second;
    for (size_t j = 0; j < m; j++) t += b[j] * dpn_rows_column(rows, block, loss->from + j)[r];
    int32_t target = dpn_rows_column(rows, block, dpn_target_column(loss->fit))[r];
    dpn_int128 slope = loss->fit->options.kind == DPN_FIT_LINEAR ? differentiate_square(&second, t, target)
                                                                 : differentiate_logistic(&second, t, target);
    for (size_t j = 0; j < m; j++) loss->sum[j] += slope * dpn_rows_column(rows, block, loss->from + j)[r];
    if (!hessian) return;
    for (size_t j = 0; j < m; j++) loss->row[j] = ldexp(dpn_rows_column(rows, block, loss->from + j)[r], -DPN_UNIT_LOG);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) hessian[i * m + j] += second * loss->row[i] * loss->row[j];
}

static dpn_status differentiate(double *high, double *low, double *hessian, void *context, const dpn_int128 *b,
                                dpn_error *why) {
    dpn_row_loss *loss = context;
    const dpn_rows *rows = &loss->fit->rows;
    size_t m = loss->m;
    (void)why;
    for (size_t j = 0; j < m; j++) loss->sum[j] = 0;
    if (hessian) memset(hessian, 0, m * m * sizeof *hessian);
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++)
        for (size_t r = 0; r < dpn_rows_in(rows, block); r++) add_row(loss, hessian, b, block, r);
    for (size_t j = 0; j < m; j++) {
        double near = (double)loss->sum[j];
        high[j] = ldexp(near, -UNIT - DPN_UNIT_LOG);
        low[j] = ldexp((double)(loss->sum[j] - (dpn_int128)near), -UNIT - DPN_UNIT_LOG);
        for (size_t i = 0; hessian && i < j; i++) hessian[i * m + j] = hessian[j * m + i];
    }
    return DPN_OK;
}

dpn_smooth dpn_row_loss_sum(dpn_row_loss *loss) {
    double rows = (double)loss->fit->rows.count;
    return (dpn_smooth){.differentiate = differentiate,
                        .context = loss,
                        .curvature = rows * dpn_row_loss_eigenvalue(loss) * (1 + 0x1p-50),
                        .error = rows * sqrt((double)loss->m) * 0x1p-58,
                        .longest = rows * dpn_row_loss_gradient(loss, DPN_BALL_L2)};
}
