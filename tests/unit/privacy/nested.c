/* delta(epsilon) of a few losses by nested integrals. */
#include "nested.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct context {
    const nested_loss *loss;
    size_t count;
    double epsilon, floor, relative;
} context;

/* Whether delta is nothing beside any integral here, though it cannot be computed: it is less than at a lesser epsilon. */
static bool is_nothing(const nested_loss *loss, double epsilon) {
    dpn_delta delta;
    for (double less = 0.95 * epsilon; less > 0.3 * epsilon; less *= 0.95)
        if (dpn_profile_delta(&delta, &loss->law, loss->shift, less, NULL) == DPN_OK) return delta.upper < 1e-60;
    return false;
}

/* delta(epsilon) of one loss, and at +inf; NaN if it is not known. */
static double profile(const nested_loss *loss, double epsilon) {
    dpn_delta delta;
    if (epsilon > 1e300) epsilon = INFINITY;
    if (dpn_profile_delta(&delta, &loss->law, loss->shift, epsilon, NULL) != DPN_OK)
        return is_nothing(loss, epsilon) ? 0 : NAN;
    return 0.5 * (delta.lower + delta.upper);
}

static double integrand(const context *c, double t) {
    const nested_loss *last = &c->loss[c->count - 1];
    double density = dpn_law_pdf(&last->law, t), loss = dpn_privacy_loss(&last->law, last->shift, t);
    if (density == 0) return 0;
    if (loss == INFINITY) return density; /* delta(-inf) = 1 */
    return density * nested_delta(c->loss, c->count - 1, c->epsilon - loss, c->floor, 0.1 * c->relative);
}

/* Kronrod's extension of the 7-point Gauss rule (Piessens et al. 1983). */
static const double node[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                               0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                               0.586087235467691130294144838258730, 0.405845151377397166906606412076961,
                               0.207784955007898467600689403773245, 0};
static const double kronrod[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                  0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                  0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                  0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double gauss[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

static double panel(const context *c, double a, double b, double *error) {
    double centre = 0.5 * (a + b), half = 0.5 * (b - a), k = 0, g = 0;
    for (int i = 0; i < 8; i++) {
        double sum = integrand(c, centre - half * node[i]);
        if (i < 7) sum += integrand(c, centre + half * node[i]);
        k += kronrod[i] * sum;
        if (i % 2) g += gauss[i / 2] * sum;
    }
    *error = fabs(half * (k - g));
    return half * k;
}

static double refine(const context *c, double a, double b, double value, double error, double tolerance, int depth) {
    if (!(error > tolerance) || depth == 0) return value; /* NaN stays what it is */
    double middle = 0.5 * (a + b), left_error, right_error;
    double left = panel(c, a, middle, &left_error), right = panel(c, middle, b, &right_error);
    return refine(c, a, middle, left, left_error, 0.6 * tolerance, depth - 1) +
           refine(c, middle, b, right, right_error, 0.6 * tolerance, depth - 1);
}

/* ---- where the integrand bends: the panels begin there ---- */

enum { MAX_CUTS = 512, MAX_CORNERS = 8 };

/* The points where psi(t) or psi(t + shift) changes its formula, and for the logistic law where the loss has reached
 * its end. */
static size_t corners(double *out, const nested_loss *loss) {
    double base[5] = {0}, bend = dpn_law_parameter(&loss->law, "alpha");
    size_t bases = 1, count = 0;
    if (isnan(bend)) bend = dpn_law_parameter(&loss->law, "bound");
    if (!strcmp(dpn_law_family(&loss->law), "logistic")) bend = 60 * dpn_law_parameter(&loss->law, "scale");
    if (!isnan(bend)) base[bases++] = bend, base[bases++] = -bend;
    for (size_t i = 0; i < bases; i++) {
        out[count++] = base[i];
        out[count++] = base[i] - loss->shift;
    }
    return count;
}

/* The losses at those points, summed over the first `count` losses in every way: there delta bends. */
static size_t bends(double *out, const nested_loss *loss, size_t count) {
    double t[MAX_CORNERS], inner[MAX_CUTS];
    size_t here = corners(t, loss + count - 1), before = 1, total = 0;
    inner[0] = 0;
    if (count > 1) before = bends(inner, loss, count - 1);
    for (size_t i = 0; i < here; i++) {
        double value = dpn_privacy_loss(&loss[count - 1].law, loss[count - 1].shift, t[i]);
        for (size_t j = 0; j < before && isfinite(value) && total < MAX_CUTS; j++) out[total++] = inner[j] + value;
    }
    return total;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t find_cuts(double *out, const context *c, double low, double high) {
    const nested_loss *last = &c->loss[c->count - 1];
    double bend[MAX_CUTS], t[MAX_CUTS + MAX_CORNERS];
    size_t found = corners(t, last), kept = 0, count = bends(bend, c->loss, c->count - 1);
    for (size_t i = 0; i < count; i++)
        t[found++] =
            dpn_privacy_loss_centred_inverse(&last->law, last->shift, c->epsilon - bend[i]) - 0.5 * last->shift;
    for (size_t i = 0; i < found; i++)
        if (t[i] > low && t[i] < high) out[kept++] = t[i];
    for (int i = 0; i <= 12; i++) out[kept++] = low + (high - low) * i / 12;
    qsort(out, kept, sizeof *out, ascending);
    return kept;
}

double nested_delta(const nested_loss *loss, size_t count, double epsilon, double floor, double relative) {
    if (count == 1) return profile(loss, epsilon);
    context c = {loss, count, epsilon, floor, relative};
    double high = dpn_law_isf(&loss[count - 1].law, floor), low = -high - loss[count - 1].shift;
    double cut[2 * MAX_CUTS], value[2 * MAX_CUTS], error[2 * MAX_CUTS], total = 0, sum = 0;
    size_t cuts = find_cuts(cut, &c, low, high);
    for (size_t i = 0; i + 1 < cuts; i++) {
        value[i] = panel(&c, cut[i], cut[i + 1], &error[i]);
        total += value[i];
    }
    for (size_t i = 0; i + 1 < cuts; i++)
        sum += refine(&c, cut[i], cut[i + 1], value[i], error[i], relative * total / (double)cuts, 40);
    return sum;
}
