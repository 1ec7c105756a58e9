/* Renyi divergences of the profile of replaced.h. D is symmetric, so with p(x) = x^(theta-1) + x^(-theta-2)
 *
 *     E e^(theta L) = 1 + theta (1+theta) integral over x > 1 of p(x) D(x) dx,
 *
 * a sum of positive terms: nothing cancels. D is convex and below its chords, p is bounded by its values at the ends of a cell.
 * docs/proofs/privacy/replace.md, section 5. */
#include "privacy/sampling/replace-renyi.h"

#include "privacy/interval.h"

dpn_status dpn_replace_table_make(dpn_replace_table *out, const dpn_replaced *replaced, double times, dpn_error *why) {
    dpn_loss_view view = dpn_replaced_view(replaced);
    double reach = fmax(replaced->replaced->reach, replaced->present->reach);
    out->times = times;
    for (size_t i = 0; i < DPN_REPLACE_NODES; i++) {
        double lower, part = (double)i / (DPN_REPLACE_NODES - 1), log_a = reach * part;
        out->nu[i] = i == 0 ? 0 : log_a > 600 ? log_a + log(replaced->rate) : log1p(replaced->rate * expm1(log_a));
        dpn_status status = view.source->log_delta(&lower, &out->log_d[i], &view, out->nu[i], why);
        if (status) return status;
    }
    return DPN_OK;
}

double dpn_replace_cumulant(const dpn_replace_table *table, double theta) {
    double log_sum = -INFINITY;
    for (size_t i = 0; i + 1 < DPN_REPLACE_NODES; i++) {
        double from = table->nu[i], to = table->nu[i + 1];
        if (!(to > from) || table->log_d[i] == -INFINITY) continue;
        double log_p = dpn_log_add(fmax((theta - 1) * from, (theta - 1) * to), -(theta + 2) * from);
        double log_chord = dpn_log_add(table->log_d[i], table->log_d[i + 1]) - 0.69314718055994530942;
        double width = to - from > 600 ? to : from + log(expm1(to - from));
        log_sum = dpn_log_add(log_sum, log_p + log_chord + width);
    }
    /* Below x = 1 the mirror image of what is cut off is left. */
    double last = table->log_d[DPN_REPLACE_NODES - 1] - (theta + 1) * table->nu[DPN_REPLACE_NODES - 1] - log1p(theta);
    log_sum = dpn_log_add(log_sum, last) + log(theta) + log1p(theta);
    if (log_sum == -INFINITY) return 0; /* no loss at all */
    double error = 1e-12 * (1 + fabs(log_sum));
    return log_sum > 600 ? log_sum + error + 1e-12 : log1p(exp(log_sum + error)) * (1 + 1e-12);
}

/* log of delta's bound at one theta; the infinite losses come on top. */
static double bound_at(const dpn_replace_table *table, size_t tables, double epsilon, double theta) {
    double exponent = -theta * epsilon - theta * log1p(1 / theta) - log1p(theta);
    for (size_t i = 0; i < tables; i++) exponent += table[i].times * dpn_replace_cumulant(&table[i], theta);
    return exponent + 1e-13 * fabs(exponent);
}

double dpn_replace_chernoff(const dpn_replace_table *table, size_t tables, double epsilon) {
    double best = 0, at = 1, infinite = -INFINITY;
    for (double theta = 0x1p-7; theta < 1e5; theta *= 2) {
        double bound = bound_at(table, tables, epsilon, theta);
        if (bound < best) {
            best = bound;
            at = theta;
        }
    }
    for (double step = 1.5; step > 1.005; step = sqrt(step)) /* log K is convex in theta: closer from both sides */
        for (int side = -1; side <= 1; side += 2) {
            double theta = side > 0 ? at * step : at / step, bound = bound_at(table, tables, epsilon, theta);
            if (bound < best) {
                best = bound;
                at = theta;
            }
        }
    for (size_t i = 0; i < tables; i++)
        infinite = dpn_log_add(infinite, table[i].log_d[DPN_REPLACE_NODES - 1] + log(table[i].times));
    return dpn_log_add(best, infinite) + 1e-13;
}
