/* delta(epsilon) of many steps with Gaussian noise on Poisson samples, by a sum along a contour. */
#include "privacy/sampling/mixture-contour.h"

#include "base/error.h"
#include "base/twofold.h"
#include "privacy/interval.h"

#include <complex.h>
#include <stdlib.h>

#define ROUND (0.5 * DBL_EPSILON)

/* Cumulants that only guide the choice are computed with this error. */
#define ROUGH 1e-4

/* Work before other lines are tried. */
#define WORK_FIRST 3e6

enum { RESET = 16, BLOCK = 64 };

/* ---- the sum of all losses under a tilt ---- */

typedef struct cumulants {
    dpn_twofold value; /* K(theta) */
    double error, mean, variance;
} cumulants;

static dpn_status fail(dpn_status status, dpn_error *why) {
    if (status == DPN_ENOMEM) return dpn_fail(why, status, "no memory for the contour sum");
    return dpn_fail(why, status, "the contour sum of the sampled steps takes too many points");
}

static double all_times(const dpn_mixtures *all) {
    double times = 0;
    for (size_t i = 0; i < all->terms; i++) times += all->term[i].times;
    return times;
}

/* E e^(theta loss) is G(1 + theta) for the person present, and G(-theta) for absent. */
static dpn_status tilt(cumulants *out, dpn_mixtures *all, double theta, double omega, double goal, dpn_error *why) {
    *out = (cumulants){0};
    double x = all->absent ? -theta : 1 + theta, sign = all->absent ? -1 : 1, times = all_times(all);
    for (size_t i = 0; i < all->terms; i++) {
        dpn_mixture_term *term = &all->term[i];
        dpn_status status = dpn_mixture_rule_make(&term->rule, &term->mixture, x, omega, goal / times);
        if (status) return fail(status, why);
        out->value = dpn_two_add(out->value, dpn_two_product(term->times, term->rule.cumulant));
        out->error += term->times * term->rule.error;
        out->mean += sign * term->times * term->rule.mean;
        out->variance += term->times * term->rule.variance;
    }
    return DPN_OK;
}

static double scale_of(const cumulants *k, double theta, double epsilon) {
    return dpn_two_value(dpn_two_subtract(k->value, dpn_two_product(theta, epsilon)));
}

/* ---- the line ---- */

/* Sizes are in the unit e^scale, scale = K(theta) - theta epsilon. */
typedef struct plan {
    double epsilon, accuracy, work;
    bool middle; /* -1 < theta < 0, where the integral is delta - 1 */
    double theta, scale, doubt, width, estimate, tolerance;
    double step, alias, omega, tail;
} plan;

/* See compose/contour-plan.c: times e^(K(rho) - rho x) it bounds delta(x), on the middle line 1 - delta(x). */
static double chernoff(bool middle, double rho) {
    if (middle || rho == 0) return 1;
    return exp(-rho * log1p(1 / rho)) / (1 + rho);
}

/* The least point of K(x) - x epsilon - log|x (1 + x)|, to a tenth of its width. */
static dpn_status saddle(plan *p, dpn_mixtures *all, cumulants *k, dpn_error *why) {
    double low = p->middle ? -1 : 0, high = p->middle ? 0 : INFINITY, x = -0.5;
    if (!p->middle) {
        double gap = p->epsilon - k->mean, root = sqrt(gap * gap + 6 * k->variance);
        x = gap > 0 ? (gap + root) / (2 * k->variance) : 3 / (root - gap);
    }
    for (int i = 0; i < 80; i++) {
        dpn_status status = tilt(k, all, x, 0, ROUGH, why);
        if (status && (p->middle || x < 1e-3)) return status;
        p->theta = x;
        double slope = INFINITY, curvature = 1; /* too far */
        if (!status) {
            slope = k->mean - p->epsilon - 1 / x - 1 / (1 + x);
            curvature = k->variance + 1 / (x * x) + 1 / ((1 + x) * (1 + x));
            if (fabs(slope) <= 0.1 * sqrt(curvature)) return DPN_OK;
        }
        *(slope < 0 ? &low : &high) = x;
        double next = status ? 0.25 * x : x - slope / curvature, target = k->mean - slope;
        if (!status && !p->middle && slope > 0) /* the mean grows exponentially where large losses take over */
            next = fmin(next, x - log(k->mean / target) * k->mean / k->variance);
        if (!p->middle) next = fmin(fmax(next, x / 16), 4 * x);
        if (!(next > low && next < high)) next = isinf(high) ? 2 * x : 0.5 * (low + high);
        if (isfinite(high) && high - low <= 1e-6 * fabs(high))
            return dpn_fail(why, DPN_EACCURACY, "the contour has no saddle point");
        x = next;
    }
    return dpn_fail(why, DPN_EACCURACY, "the contour has no saddle point");
}

static void set_line(plan *p, const cumulants *k, double theta) {
    p->theta = theta;
    p->scale = scale_of(k, theta, p->epsilon);
    p->doubt = k->error + 4 * DBL_EPSILON * (1 + fabs(p->scale));
    p->width = 1 / sqrt(k->variance + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta)));
    p->estimate = p->width / sqrt(2 * DPN_PI) / fabs(theta * (1 + theta));
}

static dpn_status choose_line(plan *p, dpn_mixtures *all, dpn_error *why) {
    cumulants k;
    dpn_status status = tilt(&k, all, 0, 0, ROUGH, why);
    if (status) return status;
    p->middle = p->epsilon < k.mean - 3 * sqrt(k.variance);
    status = saddle(p, all, &k, why);
    if (status) return status;
    set_line(p, &k, p->theta);
    p->tolerance = p->accuracy * (p->middle ? exp(fmin(700, -p->scale)) : p->estimate);
    return DPN_OK;
}

/* ---- aliasing and truncation ---- */

/* The terms k T on one side of epsilon sum to at most exp(log_first - rate T)/(1 - exp(-rate T)). */
typedef struct side {
    double log_first, rate;
} side;

static dpn_status make_side(side *out, const plan *p, dpn_mixtures *all, double rho, dpn_error *why) {
    cumulants k;
    dpn_status status = tilt(&k, all, rho, 0, ROUGH, why);
    if (status) return status;
    out->log_first = scale_of(&k, rho, p->epsilon) - p->scale + log(chernoff(p->middle, rho)) + k.error + p->doubt;
    out->rate = fabs(rho - p->theta);
    return DPN_OK;
}

static double alias_of(side s, double period) {
    return exp(s.log_first - s.rate * period) / -expm1(-s.rate * period);
}

/* Of several bounds of one side the one that allows the shortest period: those nearer to theta fall more slowly, those further away may
 * begin much higher. */
static dpn_status best_side(side *out, double *period, const plan *p, dpn_mixtures *all, double direction,
                            double log_goal, dpn_error *why) {
    static const double distance[] = {12, 6, 3.5, 2, 1.2, 0.6};
    double least = p->middle ? -1 : 0, most = p->middle ? 0 : INFINITY, shortest = INFINITY;
    for (size_t i = 0; i < sizeof distance / sizeof *distance; i++) {
        double rho = fmin(fmax(p->theta + direction * distance[i] * p->width, least), most);
        side s;
        dpn_status status = make_side(&s, p, all, rho, why);
        if (status == DPN_ENOMEM) return status;
        if (status) continue;
        double needs = (s.log_first - log_goal) / s.rate;
        if (needs >= shortest) break;
        shortest = needs;
        *out = s;
    }
    if (isinf(shortest)) return dpn_fail(why, DPN_EACCURACY, "the contour sum takes too many nodes");
    *period = fmax(*period, shortest);
    return DPN_OK;
}

static dpn_status choose_step(plan *p, dpn_mixtures *all, dpn_error *why) {
    double log_goal = log(1e-4 * p->tolerance), period = 2 / p->width;
    side lower, upper;
    dpn_status status = best_side(&lower, &period, p, all, -1, log_goal, why);
    if (!status) status = best_side(&upper, &period, p, all, 1, log_goal, why);
    if (status) return status;
    p->step = 2 * DPN_PI / period;
    p->alias = alias_of(lower, period) + alias_of(upper, period);
    return DPN_OK;
}

/* A bound of the trapezoid sum beyond omega, on both sides of the axis. */
static double tail_beyond(const plan *p, const dpn_mixtures *all, double omega) {
    double near = p->middle ? fmin(-p->theta, 1 + p->theta) : p->theta, log_product = 0;
    for (size_t i = 0; i < all->terms; i++)
        log_product += all->term[i].times * dpn_mixture_log_bound(&all->term[i].decay, &all->term[i].rule, omega);
    return atan(near / omega) / (DPN_PI * near) * exp(log_product);
}

static dpn_status truncate_line(plan *p, dpn_mixtures *all, dpn_error *why) {
    cumulants k;
    dpn_status status = tilt(&k, all, p->theta, 0, 1e-14 * all_times(all), why);
    for (size_t i = 0; i < all->terms && !status; i++) {
        dpn_mixture_term *term = &all->term[i];
        status = dpn_mixture_decay_make(&term->decay, &term->mixture, &term->rule);
    }
    if (status) return fail(status, why);
    double goal = 1e-2 * p->tolerance, low = 0, high = p->width, last = 1e-2 * p->work * p->step;
    while (tail_beyond(p, all, high) > goal) {
        low = high;
        high *= 2;
        if (low > last) return dpn_fail(why, DPN_EACCURACY, "the contour sum takes too many nodes");
    }
    for (int i = 0; i < 5; i++) {
        double middle = 0.5 * (low + high);
        *(tail_beyond(p, all, middle) > goal ? &low : &high) = middle;
    }
    p->omega = high;
    p->tail = tail_beyond(p, all, high);
    return DPN_OK;
}

/* ---- the nodes ---- */

/* The logarithm of the product of the characteristic functions at one node, and a bound of its relative error. */
typedef struct node {
    double log_size, angle, error;
} node;

static void multiply(node *product, double re_minus_1, double im, double error, double times) {
    double excess = re_minus_1 * (2 + re_minus_1) + im * im;
    double size = excess > -0.5 ? 0.5 * log1p(excess) : log(hypot(1 + re_minus_1, im));
    double angle = atan2(im, 1 + re_minus_1), loss = times * log1p(error / exp(size));
    if (!(loss < 0.5)) { /* nothing is known but the size of the largest possible value */
        product->log_size += times * log(exp(size) + error);
        product->error = INFINITY;
        return;
    }
    product->log_size += times * size;
    product->angle += times * angle;
    product->error += 2 * loss + 8 * ROUND * times * (fabs(size) + fabs(angle));
}

/* Errors of E e^(i omega L): of quadrature; of the masses, of which only e^(i omega L) - 1 is touched; of the angles; of turning and
 * summing. */
static double phi_error(const dpn_mixture_rule *rule, double omega) {
    double masses = fmin(2 * rule->relative, omega * rule->relative_loss);
    double angles = omega * rule->loss_error + 64 * ROUND * omega * rule->mean_size;
    double turning = ROUND * (16 * RESET + BLOCK + (double)(rule->count / BLOCK));
    return 2 * rule->flat + 2 * masses + angles + turning * fmin(2, omega * rule->mean_size);
}

/* turn = e^(i omega L) - 1 of each point, spin the same for omega = step. */
static void set_turns(double *re, double *im, const dpn_mixture_rule *rule, double omega) {
    for (size_t i = 0; i < rule->count; i++) {
        double angle = omega * rule->loss[i], s = sin(0.5 * angle);
        re[i] = -2 * s * s;
        im[i] = sin(angle);
    }
}

static dpn_status add_term(node *out, size_t count, double step, const dpn_mixture_term *term, bool absent) {
    const dpn_mixture_rule *rule = &term->rule;
    size_t points = rule->count;
    double *room = malloc(4 * points * sizeof *room);
    if (!room) return DPN_ENOMEM;
    double *re = room, *im = room + points, *spin_re = room + 2 * points, *spin_im = room + 3 * points;
    set_turns(spin_re, spin_im, rule, step);
    for (size_t j = 1; j <= count; j++) {
        double omega = (double)j * step, x = 0, y = 0;
        if (j % RESET == 1) set_turns(re, im, rule, omega);
        for (size_t start = 0; start < points; start += BLOCK) {
            size_t end = start + BLOCK < points ? start + BLOCK : points;
            double sum_x = 0, sum_y = 0;
            for (size_t i = start; i < end; i++) {
                sum_x += rule->mass[i] * re[i];
                sum_y += rule->mass[i] * im[i];
                double a = re[i], b = im[i], c = spin_re[i], d = spin_im[i];
                re[i] = a + c + (a * c - b * d); /* on to the next node */
                im[i] = b + d + (a * d + b * c);
            }
            x += sum_x;
            y += sum_y;
        }
        multiply(&out[j], x, absent ? -y : y, phi_error(rule, omega), term->times);
    }
    free(room);
    return DPN_OK;
}

typedef struct answer {
    double scale, scale_error, value, below, above;
} answer;

static dpn_status sum_nodes(answer *out, const plan *p, const dpn_mixtures *all, dpn_error *why) {
    size_t count = (size_t)ceil(p->omega / p->step);
    node *nodes = calloc(count + 1, sizeof *nodes);
    dpn_status status = nodes ? DPN_OK : DPN_ENOMEM;
    for (size_t i = 0; i < all->terms && !status; i++)
        status = add_term(nodes, count, p->step, &all->term[i], all->absent);
    double sign = p->middle ? -1 : 1, first = sign / (p->theta * (1 + p->theta)), error = 0, sizes = first;
    dpn_twofold value = dpn_two(first);
    for (size_t j = 1; j <= count && !status; j++) {
        double complex z = p->theta + I * ((double)j * p->step), kernel = 2 * sign / (z * (1 + z));
        double phase = p->epsilon * ((double)j * p->step), size = exp(nodes[j].log_size) * cabs(kernel);
        if (isinf(nodes[j].error)) {
            error += 2 * size;
            continue;
        }
        value = dpn_two_add(value, dpn_two(creal(kernel * cexp(nodes[j].log_size + I * (nodes[j].angle - phase)))));
        error += size * (nodes[j].error + 16 * ROUND * (4 + fabs(phase)));
        sizes += size;
    }
    free(nodes);
    if (status) return dpn_fail(why, status, "no memory for %zu nodes", count);
    double unit = p->step / (2 * DPN_PI);
    out->value = unit * dpn_two_value(value);
    out->above = unit * (error + 64 * ROUND * sizes) + p->tail;
    out->below = out->above + p->alias;
    return DPN_OK;
}

/* ---- the answer ---- */

static double log_end(const answer *a, double x, double sign) {
    if (x <= 0) return -INFINITY;
    double log_x = log(x);
    return a->scale + log_x + sign * (a->scale_error + 2 * DBL_EPSILON * (fabs(a->scale) + fabs(log_x)));
}

static dpn_delta interval(const answer *a, bool middle) {
    double least = log_end(a, a->value - a->below, -1), most = log_end(a, a->value + a->above, 1);
    if (!middle) return dpn_delta_between(least, most);
    return dpn_delta_between(most < 0 ? log(-expm1(most)) : -INFINITY, log1p(-exp(fmin(least, 0))));
}

static dpn_status integrate(answer *a, const plan *p, dpn_mixtures *all, dpn_error *why) {
    cumulants k;
    double goal = fmin(1e-9, 1e-4 * p->tolerance / p->estimate);
    dpn_status status = tilt(&k, all, p->theta, (ceil(p->omega / p->step) + 1) * p->step, goal, why);
    double cost = 0;
    for (size_t i = 0; i < all->terms && !status; i++) cost += (double)all->term[i].rule.count;
    if (!status && cost * p->omega / p->step > p->work)
        status = dpn_fail(why, DPN_EACCURACY, "the contour sum takes too many nodes");
    if (!status) status = sum_nodes(a, p, all, why);
    if (status) return status;
    a->scale = scale_of(&k, p->theta, p->epsilon);
    a->scale_error = 2 * k.error + 2 * DBL_EPSILON * fabs(a->scale);
    return DPN_OK;
}

/* Nothing lies beyond the largest loss of absent against present, -log(1 - q) in each step. */
static bool beyond_largest(const dpn_mixtures *all, double epsilon) {
    double largest = 0;
    for (size_t i = 0; i < all->terms; i++) largest -= all->term[i].times * log1p(-all->term[i].mixture.rate);
    return all->terms == 0 || (all->absent && epsilon >= largest * (1 + 8 * DBL_EPSILON * (double)(all->terms + 1)));
}

static dpn_status solve(dpn_delta *out, plan *p, dpn_mixtures *all, dpn_error *why) {
    answer a = {0};
    for (int i = 0; i < 2; i++) { /* again, if the estimate of the answer was too large */
        dpn_status status = choose_step(p, all, why);
        if (!status) status = truncate_line(p, all, why);
        if (!status) status = integrate(&a, p, all, why);
        if (status) return status;
        dpn_delta delta = interval(&a, p->middle);
        if (delta.log_upper - delta.log_lower <= log1p(p->accuracy)) {
            *out = delta;
            return DPN_OK;
        }
        p->tolerance *= 0.02;
    }
    return dpn_fail(why, DPN_EACCURACY, "the contour sum does not reach the accuracy");
}

/* Right of 0 every line is valid. Where large losses are rare the saddle point lies where they begin to dominate the transform, and with them
 * large periods and slow decay; further left the integrand is larger than the answer, but they do not count. */
static dpn_status solve_left(dpn_delta *out, plan *p, dpn_mixtures *all, dpn_error *why) {
    static const double share[] = {0.93, 0.85, 0.75, 0.6, 0.45, 0.3};
    double saddle = p->theta, log_answer = p->scale + log(p->estimate);
    dpn_status status = DPN_EACCURACY;
    for (size_t i = 0; i < sizeof share / sizeof *share && status == DPN_EACCURACY; i++) {
        cumulants k;
        status = tilt(&k, all, share[i] * saddle, 0, ROUGH, why);
        if (status) continue;
        set_line(p, &k, share[i] * saddle);
        p->tolerance = 0.03 * p->accuracy * exp(log_answer - p->scale);
        status = p->tolerance > 1e-14 ? solve(out, p, all, why) : DPN_EACCURACY;
        if (p->tolerance < 1e-14) break;
    }
    return status;
}

dpn_status dpn_mixture_delta(dpn_delta *out, dpn_mixtures *all, double epsilon, double accuracy, double log_enough,
                             double work, dpn_error *why) {
    plan p = {.epsilon = epsilon, .accuracy = accuracy, .work = fmin(work, WORK_FIRST)};
    if (beyond_largest(all, epsilon)) {
        *out = dpn_delta_between(-INFINITY, -INFINITY);
        return DPN_OK;
    }
    dpn_status status = choose_line(&p, all, why);
    if (status) return status;
    double most = p.scale + p.doubt + log(chernoff(p.middle, p.theta));
    if (!p.middle && most <= log_enough) {
        *out = dpn_delta_between(-INFINITY, most);
        return DPN_OK;
    }
    plan left = p, whole = p;
    status = solve(out, &p, all, why);
    if (status == DPN_EACCURACY && !p.middle) status = solve_left(out, &left, all, why);
    if (status != DPN_EACCURACY || work <= WORK_FIRST) return status;
    whole.work = work;
    return solve(out, &whole, all, why);
}

dpn_status dpn_mixture_chernoff(double *log_upper, dpn_mixtures *all, double epsilon, dpn_error *why) {
    plan p = {.epsilon = epsilon};
    if (beyond_largest(all, epsilon)) {
        *log_upper = -INFINITY;
        return DPN_OK;
    }
    dpn_status status = choose_line(&p, all, why);
    if (!status) *log_upper = p.middle ? 0 : fmin(0, p.scale + p.doubt + log(chernoff(false, p.theta)));
    return status;
}

void dpn_mixtures_free(dpn_mixtures *all) {
    for (size_t i = 0; i < all->terms; i++) {
        dpn_mixture_rule_free(&all->term[i].rule);
        dpn_mixture_decay_free(&all->term[i].decay);
    }
    free(all->term);
    *all = (dpn_mixtures){0};
}
