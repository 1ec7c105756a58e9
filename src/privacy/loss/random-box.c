/* The loss of a random box. */
#include "privacy/loss/random-box.h"

#include "base/error.h"
#include "privacy/interval.h"

#include <cerf.h>
#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>

/* What a factor of the transform may err by, relative to it: 10 times what libcerf's erf does. */
#define FACTOR_ERROR 1e-12

/* ---- the hidden size ---- */

void dpn_box_sizes_free(dpn_box_sizes *sizes) {
    free(sizes->group);
    free(sizes->log_weight);
    *sizes = (dpn_box_sizes){0};
}

/* log of Z(s)/s^(1/2) up to a constant. */
static double log_erf_root(double q) {
    double root = sqrt(q);
    return log(erf(root));
}

static double log_mass(const dpn_box_sizes *z, double j) {
    double sum = -z->alpha * j;
    for (size_t g = 0; g < z->groups; g++) {
        const dpn_box_group *group = &z->group[g];
        double s = group->c + j;
        sum += group->times * (0.5 * log(s) + log_erf_root(0.5 * group->beta * s));
    }
    return sum;
}

/* Into the group of its like, wherever that is: each group costs the transform two error functions at every size. Neighbours are most often
 * alike, so the last group is looked at first. */
static void add_to_groups(dpn_box_sizes *z, double c, double beta) {
    size_t g = z->groups;
    while (g > 0 && !(z->group[g - 1].c == c && z->group[g - 1].beta == beta)) g--;
    if (g > 0)
        z->group[g - 1].times++;
    else
        z->group[z->groups++] = (dpn_box_group){c, beta, 1};
    z->largest += 0.5 * beta;
}

static void fill_groups(dpn_box_sizes *z, const double *c, const double *beta, double one_beta, size_t count) {
    for (size_t i = 0; i < count && (c || beta); i++) add_to_groups(z, c ? c[i] : 1, beta ? beta[i] : one_beta);
    if (c || beta) return;
    z->group[0] = (dpn_box_group){1, one_beta, (double)count}; /* all at once */
    z->largest += 0.5 * one_beta * (double)count;
    z->groups = 1;
}

/* The ratio of neighbouring weights falls with J, Z being log-concave, so that beyond J the rest is below a geometric series. */
dpn_status dpn_box_sizes_make(dpn_box_sizes *out, double alpha, const double *c, const double *beta, double one_beta,
                              size_t count, double log_rest, dpn_error *why) {
    enum { MOST = 1 << 20 };
    dpn_box_sizes z = {.alpha = alpha, .largest = alpha, .group = malloc((c || beta ? count : 1) * sizeof *z.group)};
    size_t room = 256;
    z.log_weight = malloc(room * sizeof *z.log_weight);
    dpn_status status = z.group && z.log_weight ? DPN_OK : DPN_ENOMEM;
    if (!status) fill_groups(&z, c, beta, one_beta, count);
    double top = -INFINITY;
    bool done = false;
    while (!status && !done) {
        if (z.sizes == room) {
            room *= 2;
            double *larger = room > MOST ? NULL : realloc(z.log_weight, room * sizeof *larger);
            if (!larger) {
                status = room > MOST ? DPN_EACCURACY : DPN_ENOMEM;
                break;
            }
            z.log_weight = larger;
        }
        double here = log_mass(&z, (double)z.sizes), before = z.sizes ? z.log_weight[z.sizes - 1] : here;
        z.log_weight[z.sizes++] = here;
        top = fmax(top, here);
        double ratio = here - before; /* of all that follow at most this */
        if (z.sizes > 1 && ratio < -1e-9) {
            z.log_rest = here + ratio - log(-expm1(ratio)) + 1e-9;
            done = z.log_rest - top <= log_rest;
        }
    }
    if (status) {
        dpn_box_sizes_free(&z);
        return dpn_fail(why, status,
                        status == DPN_ENOMEM ? "no memory for the sizes of a random box"
                                             : "the sizes of a random box are too many");
    }
    double sum = 0;
    for (size_t j = 0; j < z.sizes; j++) sum += exp(z.log_weight[j] - top);
    z.log_total = top + log(sum);
    for (size_t j = 0; j < z.sizes; j++) z.log_weight[j] -= z.log_total;
    z.log_rest -= z.log_total;
    *out = z;
    return DPN_OK;
}

double dpn_cut_gaussian_square(double q) {
    if (q < 1e-4) return 1.0 / 3 - 4 * q / 45;
    return 0.5 / q * (1 - 2 * sqrt(q / DPN_PI) * exp(-q) / erf(sqrt(q)));
}

/* ---- the transform ----
 * With s = c + j, q = beta s/2 and k = (s + 1)/(s + 1 + z) one coordinate has
 *     E e^(zL) = e^(z beta/2 - q (1 - k)) k^(1/2) (erf((q/k)^(1/2) (2 - k)) + erf((qk)^(1/2)))/2 erf(q^(1/2)).
 */
typedef struct place {
    double s, q, k, log_k, both; /* at z = theta: both is the sum of the two */
    double root_q, inverse;      /* q^(1/2), 1/(k^(1/2) both) */
} place;

static place place_of(const dpn_box_group *group, double j, double theta) {
    double s = group->c + j, q = 0.5 * group->beta * s, k = (s + 1) / (s + 1 + theta);
    double both = erf(sqrt(q / k) * (2 - k)) + erf(sqrt(q * k));
    return (place){s, q, k, -log1p(theta / (s + 1)), both, sqrt(q), 1 / (sqrt(k) * both)};
}

static double log_factor(const dpn_box_group *group, const place *p, double theta) {
    return 0.5 * theta * group->beta - p->q * theta / (p->s + 1 + theta) + 0.5 * p->log_k + log(0.5 * p->both) -
           log_erf_root(p->q);
}

/* log of w_j times the product of all coordinates. */
static double log_term(const dpn_box_sizes *z, size_t j, double theta) {
    double sum = z->log_weight[j];
    for (size_t g = 0; g < z->groups; g++) {
        place p = place_of(&z->group[g], (double)j, theta);
        sum += z->group[g].times * log_factor(&z->group[g], &p, theta);
    }
    return sum;
}

static double log_sum(const double *term, size_t count) {
    double top = -INFINITY, sum = 0;
    for (size_t j = 0; j < count; j++) top = fmax(top, term[j]);
    for (size_t j = 0; j < count; j++) sum += exp(term[j] - top);
    return top + log(sum);
}

static double fill_terms(double *term, const dpn_box_sizes *z, double theta) {
    for (size_t j = 0; j < z->sizes; j++) term[j] = log_term(z, j, theta);
    return theta * z->alpha + log_sum(term, z->sizes);
}

/* A bound of log sum_(i > j) w_i: the weights are log-concave, so that beyond a fall they fall at least as fast. */
static double log_weight_beyond(const dpn_box_sizes *z, size_t j) {
    double fall = j > 0 ? z->log_weight[j] - z->log_weight[j - 1] : 0;
    return fall < 0 ? z->log_weight[j] + fall - log(-expm1(fall)) : INFINITY;
}

/* Tilted terms need not be log-concave: behind a valley there may be a higher peak. So the rest is left out only where its weight is too
 * small for the largest loss that a size can have. */
double dpn_box_log_moment(const dpn_box_sizes *z, double theta) {
    double top = -INFINITY, sum = 0, most = theta * fmax(0, z->largest - z->alpha);
    for (size_t j = 0; j < z->sizes; j++) {
        double term = log_term(z, j, theta);
        if (term > top) {
            sum = sum * exp(top - term) + 1;
            top = term;
        } else {
            sum += exp(term - top);
            if (term < top - 45 && log_weight_beyond(z, j) + most < top - 45) break;
        }
    }
    return theta * z->alpha + top + log(sum);
}

/* Quotient of the transform at theta + i omega and at theta, of the sizes that count. */
typedef struct line {
    const dpn_box_sizes *z;
    double theta;
    size_t first, last;
    double *share; /* of the sizes under the tilt */
    place *place;  /* by size and group */
    double left;   /* share of those that do not count */
} line;

/* x^times by squaring: times is a whole number, and |x| at most 1. */
static double complex whole_power(double complex x, double times) {
    double complex product = 1;
    for (uint64_t n = (uint64_t)times; n > 0; n >>= 1, x *= x)
        if (n & 1) product *= x;
    return product;
}

/* The quotient of one coordinate: its size is at most 1, so that no power of it overflows. */
static double complex one_quotient(const dpn_box_group *group, const place *p, double theta, double omega) {
    double complex k = (p->s + 1) / (p->s + 1 + theta + I * omega), root = csqrt(k);
    double complex both = cerf(p->root_q / root * (2 - k)) + cerf(p->root_q * root);
    return cexp(I * (0.5 * omega * group->beta) + p->q * (k - p->k)) * (root * p->inverse) * both;
}

/* *size is the sum of what the sizes contribute, of which they may cancel a part. */
static double complex quotient(double *size, const line *l, double omega) {
    const dpn_box_sizes *z = l->z;
    double complex sum = 0;
    *size = 0;
    for (size_t j = l->first; j < l->last; j++) {
        double complex term = l->share[j - l->first];
        for (size_t g = 0; g < z->groups; g++) {
            const place *p = &l->place[(j - l->first) * z->groups + g];
            term *= whole_power(one_quotient(&z->group[g], p, l->theta, omega), z->group[g].times);
        }
        sum += term;
        *size += cabs(term);
    }
    return sum * cexp(I * (omega * z->alpha));
}

/* log of a bound of the quotient's size from omega on, times (omega/w)^(count/2) at w: |e^(qk)| falls with omega since Re k does, |k|^(1/2) is
 * ((s + 1)/|s + 1 + z|)^(1/2), and for Re a^2 >= 0 |erf a| <= 2|a|/pi^(1/2) and <= 1 + e^(-Re a^2)/(pi^(1/2) |a|), also <= 2. */
static double log_decay(const line *l, double omega) {
    const dpn_box_sizes *z = l->z;
    double top = -INFINITY, sum = 0;
    for (size_t j = l->first; j < l->last; j++) {
        double log_size = log(l->share[j - l->first]);
        for (size_t g = 0; g < z->groups; g++) {
            const place *p = &l->place[(j - l->first) * z->groups + g];
            double far = p->s + 1 + l->theta, size = hypot(far, omega), k = (p->s + 1) / size;
            double one = sqrt(p->q / k) * fmax(0, 2 - k), two = fmin(2, 2 / sqrt(DPN_PI) * sqrt(p->q * k));
            double steep = exp(-4 * p->q * l->theta / (p->s + 1));
            double both = fmin(2, 1 + steep / fmax(1e-300, sqrt(DPN_PI) * one)) + two;
            /* |s + 1 + z| >= omega: so that the power of omega is the only one beyond. */
            log_size += z->group[g].times * (0.5 * log(far / omega) + log(both / p->both) -
                                             p->q * (p->k - (p->s + 1) / size * (far / size)));
        }
        if (log_size > top) {
            sum = sum * exp(top - log_size) + 1;
            top = log_size;
        } else {
            sum += exp(log_size - top);
        }
    }
    return top + log(sum);
}

static dpn_status line_make(line *out, const dpn_box_sizes *z, double theta, double accuracy, double *log_moment) {
    double *term = malloc(z->sizes * sizeof *term);
    if (!term) return DPN_ENOMEM;
    *log_moment = fill_terms(term, z, theta);
    line l = {.z = z, .theta = theta};
    double unit = *log_moment - theta * z->alpha, limit = log(1e-3 * accuracy / (double)z->sizes);
    while (l.first + 1 < z->sizes && term[l.first] - unit < limit) l.left += exp(term[l.first++] - unit);
    for (l.last = z->sizes; l.last > l.first + 1 && term[l.last - 1] - unit < limit;)
        l.left += exp(term[--l.last] - unit);
    size_t count = l.last - l.first;
    l.share = malloc(count * sizeof *l.share);
    l.place = malloc(count * z->groups * sizeof *l.place);
    for (size_t j = l.first; j < l.last && l.share && l.place; j++) {
        l.share[j - l.first] = exp(term[j] - unit);
        for (size_t g = 0; g < z->groups; g++)
            l.place[(j - l.first) * z->groups + g] = place_of(&z->group[g], (double)j, theta);
    }
    free(term);
    if (!l.share || !l.place) {
        free(l.share);
        free(l.place);
        return DPN_ENOMEM;
    }
    *out = l;
    return DPN_OK;
}

/* Bounds the integral of |quotient|^n/|z (1 + z)| over z = theta + i w, w > omega: by the above the integrand falls at least as w^-(count n/2 + 2). */
static double integral_beyond(const line *l, double n, double omega) {
    double power = 1;
    for (size_t g = 0; g < l->z->groups; g++) power += 0.5 * n * l->z->group[g].times;
    return exp(n * log_decay(l, omega)) / (power * omega);
}

/* ---- delta ---- */

/* n log E e^(theta L) - theta epsilon - log theta (1 + theta), which is convex in theta: by golden section in log theta. */
static double objective(const dpn_box_sizes *z, double n, double epsilon, double log_theta) {
    double theta = exp(log_theta);
    return n * dpn_box_log_moment(z, theta) - theta * epsilon - log_theta - log1p(theta);
}

static double saddle(const dpn_box_sizes *z, double n, double epsilon) {
    enum { STEPS = 13 };
    const double golden = 0.6180339887498949;
    double low = log(1e-3), high = log(1e4), x = high - golden * (high - low), y = low + golden * (high - low);
    double at_x = objective(z, n, epsilon, x), at_y = objective(z, n, epsilon, y);
    for (int i = 0; i < STEPS; i++) {
        bool left = at_x < at_y;
        *(left ? &high : &low) = left ? y : x;
        double next = left ? high - golden * (high - low) : low + golden * (high - low);
        double value = objective(z, n, epsilon, next);
        if (left)
            y = x, at_y = at_x, x = next, at_x = value;
        else
            x = y, at_x = at_y, y = next, at_y = value;
    }
    return exp(at_x < at_y ? x : y);
}

/* The sum at the nodes theta + i k step is the sum over all k of e^(theta k T) delta(epsilon + k T), T = 2 pi/step: those with k >= 1 vanish
 * if T reaches the largest loss, or fall by any other moment; the others are at most e^(theta k T). */
static dpn_status by_line(dpn_delta *out, const dpn_box_sizes *z, double n, double epsilon, double theta,
                          double accuracy, dpn_error *why) {
    enum { MOST_NODES = 200000 };
    line l;
    double log_moment;
    dpn_status status = line_make(&l, z, theta, accuracy, &log_moment);
    if (status) return dpn_fail(why, status, "no memory for the sizes of a random box");
    double unit = n * log_moment - theta * epsilon; /* log */
    double estimate = unit - log(theta) - log1p(theta) - 3,
           period = (log(4 / accuracy) + 2 - fmin(0, estimate)) / theta;
    double second = 2 * theta + 1, log_second = n * dpn_box_log_moment(z, second) - second * epsilon;
    double log_above = INFINITY;
    for (int i = 0; i < 60; i++, period *= 1.3) {
        if (period >= n * z->largest - epsilon) {
            log_above = -INFINITY;
            break;
        }
        double gap = (second - theta) * period;
        log_above = log_second - gap - log(-expm1(-gap));
        if (log_above - estimate < log(0.1 * accuracy)) break;
    }
    double step = 2 * DPN_PI / period, sum = 0.5 / (theta * (1 + theta)), rest = INFINITY;
    double coordinates = 0;
    for (size_t g = 0; g < z->groups; g++) coordinates += n * z->group[g].times;
    /* Of a quotient with a relative error x the power has about n x; sizes that are left out miss at every node. */
    double relative = 2 * FACTOR_ERROR * (coordinates + 10);
    double turn = 4 * DBL_EPSILON * (n * z->largest + fabs(epsilon)); /* of the phases, for each unit of omega */
    double wrong = sum * (relative + 2 * n * l.left);
    size_t k = 1;
    for (; k < MOST_NODES; k++) {
        double omega = (double)k * step;
        double complex at = theta + I * omega;
        double size, flat = 1 / cabs(at * (1 + at));
        double complex value = cpow(quotient(&size, &l, omega), n) * cexp(-I * (omega * epsilon)) / (at * (1 + at));
        sum += creal(value);
        wrong += flat * (pow(size, n) * (relative + turn * omega) + 2 * n * l.left);
        if (k % 4) continue;
        rest = integral_beyond(&l, n, omega) / step;
        if (rest < 0.1 * accuracy * fabs(sum)) break;
    }
    if (rest == INFINITY) rest = 1 / (theta * step);
    sum *= step / DPN_PI;
    wrong += 2 * n * l.left / ((double)k * step * step); /* beyond the last node */
    double error = step / DPN_PI * (wrong + rest) + exp(log_above - unit);
    free(l.share);
    free(l.place);
    double gap = theta * period;
    error += exp(-gap - unit) / -expm1(-gap);
    if (!(sum > 2 * error))
        return dpn_fail(why, DPN_EACCURACY, "the transform of a random box does not reach the accuracy");
    double slack = 4 * DBL_EPSILON * (fabs(unit) + fabs(theta * epsilon)) + FACTOR_ERROR * coordinates;
    double lower = unit + log(sum - error) - slack, upper = unit + log(sum + error) + slack;
    /* A size that was left out counts in full. */
    upper = dpn_log_add(upper, log(n) + z->log_rest);
    *out = dpn_delta_between(lower + log1p(-fmin(0.5, n * exp(z->log_rest))), upper);
    return DPN_OK;
}

static dpn_status repeated(dpn_delta *out, const dpn_loss *loss, uint64_t times, double epsilon, double accuracy,
                           dpn_error *why) {
    dpn_box_sizes z;
    double n = (double)times, theta = 0, estimate = 0;
    if (epsilon == INFINITY || epsilon >= n * loss->kind->largest(loss)) {
        *out = dpn_delta_near(0, 0);
        return DPN_OK;
    }
    if (!(accuracy > 0)) accuracy = 1e-6;
    double log_rest = -50;
    for (int i = 0; i < 4; i++) { /* what is left out has to be far below delta */
        dpn_status status = dpn_box_sizes_make(&z, loss->epsilon, loss->value, loss->probability, loss->sensitivity,
                                               loss->count, log_rest, why);
        if (status) return status;
        theta = saddle(&z, n, epsilon);
        estimate = fmin(0, objective(&z, n, epsilon, log(theta)) - 4);
        if (z.log_rest + log(n) <= estimate + log(0.1 * accuracy)) break;
        log_rest = estimate + log(0.01 * accuracy / n);
        if (i < 3) dpn_box_sizes_free(&z);
    }
    dpn_status status = by_line(out, &z, n, epsilon, theta, accuracy, why);
    dpn_box_sizes_free(&z);
    return status;
}

static dpn_status box_delta(dpn_delta *out, const dpn_loss *loss, double epsilon, dpn_error *why) {
    return repeated(out, loss, 1, epsilon, 0, why);
}

/* Rounded up. */
static double box_largest(const dpn_loss *loss) {
    double sum = loss->probability ? 0 : loss->sensitivity * (double)loss->count;
    for (size_t i = 0; loss->probability && i < loss->count; i++) sum += loss->probability[i];
    return (loss->epsilon + 0.5 * sum) * (1 + ((double)loss->count + 4) * DBL_EPSILON);
}

/* E L, given the size: alpha and of each coordinate beta/2 - beta s (1 + E t^2)/2 (s + 1). */
static double mean_loss(const dpn_box_sizes *z) {
    double sum = 0;
    for (size_t j = 0; j < z->sizes; j++) {
        double given = z->alpha;
        for (size_t g = 0; g < z->groups; g++) {
            const dpn_box_group *group = &z->group[g];
            double s = group->c + (double)j, square = dpn_cut_gaussian_square(0.5 * group->beta * s);
            given += group->times * 0.5 * group->beta * (1 - s * square) / (s + 1);
        }
        sum += exp(z->log_weight[j]) * given;
    }
    return sum;
}

/* A size that was left out has a loss of at most the largest. */
static dpn_status box_cumulant(double *lower, double *upper, const dpn_loss *loss, double theta, dpn_error *why) {
    double largest = box_largest(loss), count = (double)loss->count;
    dpn_box_sizes z;
    if (theta * largest > 1e4) {
        *lower = 0;
        *upper = theta * largest * (1 + 4 * DBL_EPSILON);
        return DPN_OK;
    }
    dpn_status status = dpn_box_sizes_make(&z, loss->epsilon, loss->value, loss->probability, loss->sensitivity,
                                           loss->count, -40 - theta * largest, why);
    if (status) return status;
    double rest = theta * largest + z.log_rest;
    if (theta == 0) {
        double mean = mean_loss(&z), error = 1e-9 * fabs(mean) + (1e-13 + exp(z.log_rest)) * (largest + count);
        *lower = fmax(0, mean - error);
        *upper = mean + error;
    } else {
        double value = dpn_box_log_moment(&z, theta), error = FACTOR_ERROR * (count + 8) + 1e-13 * theta * largest;
        *lower = fmax(0, value - error - exp(z.log_rest));
        *upper = fmin(dpn_log_add(value + error, rest), theta * largest * (1 + 4 * DBL_EPSILON));
    }
    dpn_box_sizes_free(&z);
    if (!(*upper >= *lower)) return dpn_fail(why, DPN_EACCURACY, "the moments of a random box are not reached");
    return DPN_OK;
}

const struct dpn_loss_kind dpn_loss_kind_random_box = {
    .name = "random-box", .delta = box_delta, .largest = box_largest, .cumulant = box_cumulant, .repeated = repeated};

dpn_status dpn_loss_random_box(dpn_loss *out, double alpha, const double *start, const double *beta, double one_beta,
                               size_t count, dpn_error *why) {
    if (!(alpha > 1e-3 && alpha < 0x1p10))
        return dpn_fail(why, DPN_EDOMAIN, "alpha of a random box must lie between 0.001 and 1024");
    if (count == 0) return dpn_fail(why, DPN_EDOMAIN, "a random box has at least one coordinate");
    for (size_t i = 0; i < (beta ? count : 1); i++) {
        double own = beta ? beta[i] : one_beta;
        if (!(own > 0x1p-60 && own < 0x1p10))
            return dpn_fail(why, DPN_EDOMAIN, "beta of a random box must lie between 2^-60 and 2^10");
    }
    for (size_t i = 0; start && i < count; i++)
        if (!(start[i] > 0x1p-40 && start[i] < 0x1p40))
            return dpn_fail(why, DPN_EDOMAIN, "c of a random box must lie between 2^-40 and 2^40");
    *out = (dpn_loss){.kind = &dpn_loss_kind_random_box,
                      .epsilon = alpha,
                      .sensitivity = one_beta,
                      .value = start,
                      .probability = beta,
                      .count = count};
    return DPN_OK;
}
