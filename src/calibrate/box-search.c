/* The random box with the least error. */
#include "calibrate/box-search.h"

#include "base/error.h"
#include "privacy/loss/random-box.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NODES = 400, PARAMETERS = 6 };

/* A trial: the clusters, and sizes J that stand for the others. */
typedef struct trial {
    dpn_box_cluster *cluster;
    size_t clusters;
    double epsilon, log_delta, times;
    double alpha, theta; /* where the last search ended; 0: nowhere yet */
    size_t nodes;
    double node[NODES], log_weight[NODES];
} trial;

/* ---- sizes ---- */

static double log_mass(const trial *t, double j) {
    double sum = -t->alpha * j;
    for (size_t i = 0; i < t->clusters; i++) {
        const dpn_box_cluster *k = &t->cluster[i];
        double s = k->c + j;
        sum += k->times * (0.5 * log(s) + log(erf(sqrt(0.5 * k->beta * s))));
    }
    return sum;
}

/* About as many nodes as show a bell of this width; all sizes if they are few. */
static bool choose_nodes(trial *t) {
    double coordinates = 0, mode = 0, step = 1;
    for (size_t i = 0; i < t->clusters; i++) coordinates += t->cluster[i].times;
    double high = 2 + 2 * coordinates / t->alpha, low = 0;
    for (int i = 0; i < 60 && high - low > 0.5; i++) { /* where the next size weighs less */
        mode = 0.5 * (low + high);
        *(log_mass(t, mode + 1) > log_mass(t, mode) ? &low : &high) = mode;
    }
    double width = sqrt(fmax(1, -1 / (log_mass(t, mode + 1) - 2 * log_mass(t, mode) + log_mass(t, fmax(0, mode - 1)))));
    if (!(width > 0)) width = 1;
    step = fmax(1, floor(width));
    double from = floor(fmax(0, mode - 10 * width) / step) * step;
    double top = -INFINITY, sum = 0;
    for (t->nodes = 0; t->nodes < NODES; t->nodes++) {
        double j = from + step * (double)t->nodes, here = log_mass(t, j);
        t->node[t->nodes] = j;
        t->log_weight[t->nodes] = here;
        top = fmax(top, here);
        if (here < top - 45) break;
    }
    if (t->nodes == NODES) return false;
    for (size_t i = 0; i < t->nodes; i++) sum += exp(t->log_weight[i] - top);
    for (size_t i = 0; i < t->nodes; i++) t->log_weight[i] -= top + log(sum);
    return true;
}

static double error_of(const trial *t) {
    double sum = 0;
    for (size_t n = 0; n < t->nodes; n++) {
        double given = 0;
        for (size_t i = 0; i < t->clusters; i++) {
            double s = t->cluster[i].c + t->node[n];
            given += t->cluster[i].key * s * s * dpn_cut_gaussian_square(0.5 * t->cluster[i].beta * s);
        }
        sum += exp(t->log_weight[n]) * given;
    }
    return sum;
}

/* ---- delta, by the saddle point ---- */

static double log_moment(const trial *t, double theta) {
    double top = -INFINITY, sum = 0;
    for (size_t n = 0; n < t->nodes; n++) {
        double term = t->log_weight[n];
        for (size_t i = 0; i < t->clusters; i++) {
            const dpn_box_cluster *c = &t->cluster[i];
            double s = c->c + t->node[n], q = 0.5 * c->beta * s, k = (s + 1) / (s + 1 + theta);
            double both = erf(sqrt(q / k) * (2 - k)) + erf(sqrt(q * k));
            term += c->times * (0.5 * theta * c->beta - q * (1 - k) + 0.5 * log(k) + log(0.5 * both / erf(sqrt(q))));
        }
        if (term > top) {
            sum = sum * exp(top - term) + 1;
            top = term;
        } else {
            sum += exp(term - top);
        }
    }
    return theta * t->alpha + top + log(sum);
}

static double exponent(const trial *t, double log_theta) {
    double theta = exp(log_theta);
    return t->times * log_moment(t, theta) - theta * t->epsilon - log_theta - log1p(theta);
}

/* log delta, to about one part in a hundred of delta. The exponent is smooth and convex: parabolas from where the last search ended. */
static double log_delta(trial *t) {
    const double h = 0.05;
    double x = t->theta > 0 ? log(t->theta) : log(10), here = 0, curvature = 0;
    if (!choose_nodes(t)) return NAN;
    for (int i = 0; i < 40; i++) {
        double left = exponent(t, x - h), right = exponent(t, x + h);
        here = exponent(t, x);
        double slope = (right - left) / (2 * h);
        curvature = (right - 2 * here + left) / (h * h);
        double move = curvature > 0 ? -slope / curvature : slope > 0 ? -0.5 : 0.5;
        move = fmin(fmax(move, -0.7), 0.7);
        if (fabs(move) < 1e-2) { /* the rest of the way by the parabola */
            here += 0.5 * slope * move;
            break;
        }
        x += move;
        if (x < -7 || x > 12) break;
    }
    t->theta = exp(x);
    /* d2/dtheta2 of the exponent is curvature/theta^2 where the slope vanishes. */
    return here - 0.5 * log(2 * 3.141592653589793 * fmax(1e-12, curvature)) + x;
}

/* The alpha at which delta is what is asked, by secants in its logarithm; 0 if there is none up to epsilon. */
static double find_alpha(trial *t) {
    double x = log(t->alpha > 0 ? t->alpha : 0.7 * t->epsilon), most = log(1.02 * t->epsilon), slope = 25;
    double before = NAN, x_before = x, low = log(1e-3 * t->epsilon), high = most;
    for (int i = 0; i < 40; i++) {
        t->alpha = exp(x);
        double height = log_delta(t) - t->log_delta;
        if (isnan(height)) break;
        if (i > 0 && x != x_before) slope = (height - before) / (x - x_before);
        slope = fmin(fmax(slope, 1), 1e6);
        if (fabs(height) < 1e-4 || (i > 0 && fabs(height) < 1e-2)) { /* the rest of the way by the secant */
            t->alpha = exp(fmin(x - height / slope, most));
            return choose_nodes(t) ? t->alpha : 0;
        }
        x_before = x;
        before = height;
        if (x == most && height < 0) break; /* more privacy than is asked for, with the least box */
        *(height < 0 ? &low : &high) = x;
        if (height > 0 && x <= log(2e-3 * t->epsilon)) break;
        x = fmin(x - fmin(fmax(height / slope, -0.5), 0.5), most);
        if (!(x > low && x < high) && !(x == most && high == most)) x = 0.5 * (low + high);
        if (high - low < 1e-9) return exp(low); /* a step of delta */
    }
    t->alpha = t->theta = 0;
    return 0;
}

/* ---- the search ---- */

/* log beta and log c as quadratics in the log ratio of sensitivities. */
static void apply(trial *t, const double *x, size_t parameters) {
    for (size_t i = 0; i < t->clusters; i++) {
        dpn_box_cluster *k = &t->cluster[i];
        double r = k->log_ratio, log_beta = x[0], log_c = x[1];
        if (parameters == PARAMETERS) {
            log_beta += r * (x[2] + r * x[3]);
            log_c += r * (x[4] + r * x[5]);
        }
        k->beta = exp(fmin(fmax(log_beta, -25), 3));
        k->c = exp(fmin(fmax(log_c, -3), 12));
    }
}

static double cost(trial *t, const double *x, size_t parameters) {
    apply(t, x, parameters);
    double alpha = find_alpha(t);
    if (!(alpha > 0)) return INFINITY;
    double error = error_of(t);
    return isfinite(error) ? log(error) : INFINITY;
}

/* Nelder and Mead 1965, with the usual coefficients. */
static void simplex(double *best, trial *t, size_t n, const double *start, const double *size, int looks) {
    double x[PARAMETERS + 1][PARAMETERS], f[PARAMETERS + 1];
    for (size_t i = 0; i <= n; i++) {
        memcpy(x[i], start, n * sizeof *start);
        if (i > 0) x[i][i - 1] += size[i - 1];
        f[i] = cost(t, x[i], n);
    }
    while (looks > 0) {
        size_t top = 0, worst = 0, second = 0;
        for (size_t i = 1; i <= n; i++) {
            if (f[i] < f[top]) top = i;
            if (f[i] >= f[worst]) worst = i;
        }
        second = top;
        for (size_t i = 0; i <= n; i++)
            if (i != worst && f[i] >= f[second]) second = i;
        if (f[worst] - f[top] < 1e-6) break;
        double middle[PARAMETERS] = {0}, y[PARAMETERS], z[PARAMETERS];
        for (size_t i = 0; i <= n; i++)
            for (size_t k = 0; i != worst && k < n; k++) middle[k] += x[i][k] / (double)n;
        for (size_t k = 0; k < n; k++) y[k] = 2 * middle[k] - x[worst][k];
        double at_y = cost(t, y, n), factor = at_y < f[top] ? 2 : at_y < f[second] ? 0 : at_y < f[worst] ? 0.5 : -0.5;
        looks--;
        double at_z = INFINITY;
        if (factor != 0) {
            for (size_t k = 0; k < n; k++) z[k] = middle[k] + factor * (middle[k] - x[worst][k]);
            at_z = cost(t, z, n);
            looks--;
        }
        if (fmin(at_y, at_z) < f[worst]) {
            memcpy(x[worst], at_z < at_y ? z : y, sizeof y);
            f[worst] = fmin(at_y, at_z);
            continue;
        }
        for (size_t i = 0; i <= n; i++) { /* towards the best */
            if (i == top) continue;
            for (size_t k = 0; k < n; k++) x[i][k] = 0.5 * (x[i][k] + x[top][k]);
            f[i] = cost(t, x[i], n);
            looks--;
        }
    }
    size_t top = 0;
    for (size_t i = 1; i <= n; i++)
        if (f[i] < f[top]) top = i;
    memcpy(best, x[top], n * sizeof *best);
}

dpn_status dpn_box_search(double *alpha, dpn_box_cluster *cluster, size_t clusters, dpn_box_cluster *fine, size_t fines,
                          double epsilon, double delta, double times, dpn_error *why) {
    trial t = {.cluster = cluster, .clusters = clusters, .epsilon = epsilon, .log_delta = log(delta), .times = times};
    double coordinates = 0, best[PARAMETERS] = {0}, least = INFINITY;
    size_t parameters = clusters > 1 ? PARAMETERS : 2;
    for (size_t i = 0; i < clusters; i++) coordinates += cluster[i].times;
    for (int i = 0; i < 9; i++) { /* the sum of all beta/2 is between a hundredth and some times epsilon */
        double start[PARAMETERS] = {log(2 * epsilon * 0.01 * pow(2.5, i) / coordinates), 0}, at;
        if (parameters == PARAMETERS) start[4] = 0.8;
        t.alpha = 0;
        at = cost(&t, start, parameters);
        if (!(at < least)) continue;
        least = at;
        memcpy(best, start, sizeof best);
    }
    if (!isfinite(least)) return dpn_fail(why, DPN_EACCURACY, "no random box was found for this guarantee");
    const double size[] = {0.5, parameters == 2 ? -0.2 : 0.3, 0.3, 0.1, 0.3, 0.1};
    simplex(best, &t, parameters, best, size, parameters == 2 ? 60 : 250);
    if (parameters > 2) simplex(best, &t, parameters, best, size, 250);
    t.cluster = fine;
    t.clusters = fines;
    apply(&t, best, parameters);
    *alpha = find_alpha(&t);
    return *alpha > 0 ? DPN_OK : dpn_fail(why, DPN_EACCURACY, "no random box was found for this guarantee");
}
