/* One line of the contour sum for Gaussian noise on Poisson samples. */
#include "privacy/sampling/mixture-line.h"

#include "base/error.h"
#include "privacy/interval.h"
#include "privacy/sampling/mixture-turns.h"

#include <complex.h>
#include <stdlib.h>

#define ROUND (0.5 * DBL_EPSILON)

static dpn_status too_long(dpn_error *why) {
    return dpn_fail(why, DPN_EACCURACY, "the contour sum takes too many nodes");
}

/* ---- the sum of all losses under a tilt ---- */

static double all_times(const dpn_mixtures *all) {
    double times = 0;
    for (size_t i = 0; i < all->terms; i++) times += all->term[i].times;
    return times;
}

/* Of the whole measure, and of the part in which all losses are small: its share e^-big, mean and variance. */
typedef struct whole {
    dpn_twofold value;
    double error, mean, variance;
    double big, big_error, small_mean, small_variance;
} whole;

/* E e^(theta loss) is G(1 + theta) for the person present, and G(-theta) for absent. */
static dpn_status tilt_all(whole *w, dpn_mixtures *all, double theta, double goal, bool turned, dpn_error *why) {
    *w = (whole){0};
    double x = all->absent ? -theta : 1 + theta, sign = all->absent ? -1 : 1, times = all_times(all);
    for (size_t i = 0; i < all->terms; i++) {
        dpn_mixture_term *term = &all->term[i];
        const dpn_mixture_rule *rule = &term->rule;
        if (all->spent > DPN_MIXTURE_PATIENCE) return too_long(why);
        dpn_status status = dpn_mixture_rule_make(&term->rule, &term->mixture, x, goal / times, turned);
        all->spent += 100 + rule->effort;
        if (status == DPN_ENOMEM) return dpn_fail(why, status, "no memory for the contour sum");
        if (status) return dpn_fail(why, status, "the contour sum of the sampled steps takes too many points");
        w->value = dpn_two_add(w->value, dpn_two_product(term->times, rule->cumulant));
        w->error += term->times * rule->error;
        w->mean += sign * term->times * rule->mean;
        w->variance += term->times * rule->variance;
        w->big += term->times * -log1p(-fmin(rule->big, 1));
        w->big_error += term->times * rule->big_error / fmax(1 - rule->big, DBL_MIN);
        w->small_mean += sign * term->times * rule->small_mean;
        w->small_variance += term->times * rule->small_variance;
    }
    return DPN_OK;
}

/* The moments of the whole less those of the small part. */
static dpn_status without_small(dpn_mixture_cumulants *out, const whole *w, dpn_error *why) {
    double small = exp(-w->big), share = -expm1(-w->big);
    if (!(w->big_error < 0.3 * w->big)) return dpn_fail(why, DPN_EACCURACY, "there are too few large losses");
    double mean = (w->mean - small * w->small_mean) / share;
    double away = w->mean - mean, small_away = w->small_mean - mean;
    double square = w->variance + away * away - small * (w->small_variance + small_away * small_away);
    out->value = dpn_two_add(w->value, dpn_two(log(share)));
    out->error = w->error + 2 * w->big_error / w->big;
    out->mean = mean;
    out->variance = fmax(square / share, 1e-300);
    return DPN_OK;
}

static dpn_status tilt(dpn_mixture_cumulants *out, dpn_mixtures *all, double theta, double goal, bool turned,
                       dpn_error *why) {
    whole w;
    dpn_status status = tilt_all(&w, all, theta, goal, turned, why);
    if (status) return status;
    if (all->rest) return without_small(out, &w, why);
    *out = (dpn_mixture_cumulants){w.value, w.error, w.mean, w.variance};
    return DPN_OK;
}

dpn_status dpn_mixture_tilt(dpn_mixture_cumulants *out, dpn_mixtures *all, double theta, double goal, dpn_error *why) {
    return tilt(out, all, theta, all->rest ? 1e-8 * goal : goal, false, why);
}

double dpn_mixture_chernoff_factor(bool middle, double rho) {
    if (middle || rho == 0) return 1;
    return exp(-rho * log1p(1 / rho)) / (1 + rho);
}

static double unit_of(const dpn_mixture_cumulants *k, double theta, double epsilon) {
    return dpn_two_value(dpn_two_subtract(k->value, dpn_two_product(theta, epsilon)));
}

void dpn_mixture_line_set(dpn_mixture_line *line, const dpn_mixture_cumulants *k, bool middle, double theta) {
    line->middle = middle;
    line->theta = theta;
    line->k = *k;
    line->width = 1 / sqrt(k->variance + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta)));
    line->estimate = line->width / sqrt(2 * DPN_PI) / fabs(theta * (1 + theta));
}

/* ---- aliasing ---- */

static double alias_of(const dpn_mixture_line *line, dpn_mixture_side s, double epsilon, double period) {
    double first = s.log_size - s.rho * epsilon - unit_of(&line->k, line->theta, epsilon) + line->k.error;
    double rate = fabs(s.rho - line->theta);
    return exp(fmin(700, first - rate * period)) / -expm1(-rate * period);
}

/* Of several bounds of one side the one that allows the shortest period: those nearer to theta fall more slowly, those further away may
 * begin much higher. */
static dpn_status best_side(dpn_mixture_side *out, double *period, const dpn_mixture_line *line, dpn_mixtures *all,
                            double direction, double epsilon, double log_goal, dpn_error *why) {
    static const double distance[] = {12, 6, 3.5, 2, 1.2, 0.6, 0.3};
    double least = line->middle ? -1 : 0, most = line->middle ? 0 : INFINITY, shortest = INFINITY;
    double unit = unit_of(&line->k, line->theta, epsilon);
    for (size_t i = 0; i < sizeof distance / sizeof *distance; i++) {
        double rho = fmin(fmax(line->theta + direction * distance[i] * line->width, least), most);
        dpn_mixture_cumulants k;
        dpn_status status = dpn_mixture_tilt(&k, all, rho, DPN_MIXTURE_ROUGH, why);
        if (status == DPN_ENOMEM) return status;
        if (status) continue;
        dpn_mixture_side s = {dpn_two_value(k.value) + log(dpn_mixture_chernoff_factor(line->middle, rho)) + k.error,
                              rho};
        s.log_size += 4 * DBL_EPSILON * (1 + fabs(s.log_size));
        double needs = (s.log_size - rho * epsilon - unit + line->k.error - log_goal) / fabs(rho - line->theta);
        if (needs >= shortest) break;
        shortest = needs;
        *out = s;
    }
    if (isinf(shortest)) return too_long(why);
    *period = fmax(*period, shortest);
    return DPN_OK;
}

static dpn_status choose_step(dpn_mixture_line *line, dpn_mixtures *all, double epsilon, dpn_error *why) {
    double log_goal = log(1e-2 * line->tolerance), period = 2 / line->width;
    dpn_status status = best_side(&line->lower, &period, line, all, -1, epsilon, log_goal, why);
    if (!status) status = best_side(&line->upper, &period, line, all, 1, epsilon, log_goal, why);
    line->step = 2 * DPN_PI / period;
    return status;
}

/* ---- truncation ---- */

/* A bound of the transform from omega on, over that at 0. */
static double transform_beyond(dpn_mixtures *all, double omega) {
    double log_product = 0, big = 0, more = 0;
    for (size_t i = 0; i < all->terms; i++) {
        dpn_mixture_term *term = &all->term[i];
        if (!all->rest) {
            log_product += term->times * dpn_mixture_log_bound(&term->decay, &term->rule, omega);
            continue;
        }
        /* |(A + C)^n - A^n| <= (a + c)^n - a^n */
        double c = exp(dpn_mixture_log_bound_big(&term->decay, &term->rule, omega));
        double a = fmin(1, 1 - term->rule.big + term->rule.big_error);
        log_product += term->times * log(a);
        more += term->times * log1p(c / a);
        big += term->times * -log1p(-term->rule.big);
    }
    if (!all->rest) return exp(log_product);
    return 1.5 / -expm1(-big) * (more < 1 ? exp(log_product) * expm1(more) : exp(log_product + more));
}

/* A bound of the trapezoid sum beyond omega, on both sides of the axis. */
static double tail_beyond(const dpn_mixture_line *line, dpn_mixtures *all, double omega) {
    double near = line->middle ? fmin(-line->theta, 1 + line->theta) : line->theta;
    return atan(near / omega) / (DPN_PI * near) * transform_beyond(all, omega);
}

static double work_of(const dpn_mixtures *all, double step, double omega) {
    double work = 0;
    for (size_t i = 0; i < all->terms; i++)
        work += dpn_mixture_turns_work(&all->term[i].rule, all->term[i].mixture.rate, step, omega);
    return work;
}

static dpn_status truncate_line(dpn_mixture_line *line, dpn_mixtures *all, double work, dpn_error *why) {
    for (size_t i = 0; i < all->terms; i++) {
        dpn_mixture_term *term = &all->term[i];
        if (dpn_mixture_decay_make(&term->decay, &term->mixture, &term->rule))
            return dpn_fail(why, DPN_ENOMEM, "no memory for the contour sum");
    }
    double goal = 1e-1 * line->tolerance, low = 0, high = line->width;
    line->work = INFINITY;
    while (tail_beyond(line, all, high) > goal) {
        low = high;
        high *= 2;
        if (work_of(all, line->step, low) > fmax(work, DPN_MIXTURE_WORK)) return too_long(why);
    }
    for (int i = 0; i < 5; i++) {
        double middle = 0.5 * (low + high);
        *(tail_beyond(line, all, middle) > goal ? &low : &high) = middle;
    }
    line->omega = high;
    line->tail = tail_beyond(line, all, high);
    line->work = work_of(all, line->step, high);
    return line->work > 2 * work ? too_long(why) : DPN_OK;
}

/* ---- the nodes ---- */

/* The logarithm of the product of the characteristic functions at one node, and a bound of its relative error; and if only the rest is asked
 * for, the same of the product of phi/A, A the part of small losses. Where an error is infinite, log_size is an upper bound. */
typedef struct node {
    double log_size, angle, error;
    double log_ratio, ratio_angle, ratio_error;
} node;

/* The size of re + i im where no square overflows. */
static double size_of(double re, double im) {
    return sqrt(re * re + im * im);
}

/* log(1 + re + i im), and 1/|1 + re + i im|. */
static double log_near_1(double *size, double *angle, double re, double im) {
    double excess = re * (2 + re) + im * im, modulus = size_of(1 + re, im);
    *size = excess > -0.5 ? 0.5 * log1p(excess) : log(modulus);
    *angle = atan2(im, 1 + re);
    return 1 / modulus;
}

static void multiply(node *product, double re_minus_1, double im, double error, double times) {
    double size, angle, over = log_near_1(&size, &angle, re_minus_1, im);
    double loss = times * error * over * (1 + 8 * ROUND); /* log(1 + x) <= x */
    if (!(loss < 0.5)) { /* nothing is known but the size of the largest possible value */
        product->log_size += times * fmin(0, log(exp(size) + error));
        product->error = INFINITY;
        return;
    }
    product->log_size += times * size;
    product->angle += times * angle;
    product->error += 2 * loss + 8 * ROUND * times * (fabs(size) + fabs(angle));
}

/* times log(phi/(phi - C)). */
static void multiply_ratio(node *product, double complex phi, double complex big, double phi_error, double big_error,
                           double times) {
    double square = creal(phi) * creal(phi) + cimag(phi) * cimag(phi);
    double re = (creal(big) * creal(phi) + cimag(big) * cimag(phi)) / square; /* of C/phi */
    double im = (cimag(big) * creal(phi) - creal(big) * cimag(phi)) / square;
    double modulus = size_of(re, im), size, angle, left = size_of(1 - re, im);
    double error = (big_error + modulus * phi_error) / sqrt(square) + 8 * ROUND * modulus;
    if (!(4 * error < left) || isinf(product->error)) {
        product->ratio_error = INFINITY;
        return;
    }
    log_near_1(&size, &angle, -re, -im);
    product->log_ratio -= times * size;
    product->ratio_angle -= times * angle;
    product->ratio_error += times * (2 * error / left + 8 * ROUND * (fabs(size) + fabs(angle)));
}

/* Errors of E e^(i omega L): of quadrature; of the masses, of which only e^(i omega L) - 1 is touched; of the angles; of turning and
 * summing. */
static double turning_error(const dpn_mixture_rule *rule) {
    return ROUND * (16 * 2 * DPN_MIXTURE_TURNS + DPN_MIXTURE_BLOCK + (double)(rule->count / DPN_MIXTURE_BLOCK));
}

static double phi_error(const dpn_mixture_rule *rule, double omega, double total) {
    double masses = fmin(2 * rule->relative, omega * rule->relative_loss);
    double angles = omega * rule->loss_error + 64 * ROUND * omega * rule->size;
    return 2 * rule->flat + 2 * masses + angles + turning_error(rule) * fmin(2 * total, omega * rule->size);
}

static double big_error(const dpn_mixture_rule *rule, double omega) {
    double angles = 5 * omega * rule->big_loss_error; /* which holds 16 units of |L| */
    return 8 * rule->flat + 2 * rule->big_relative + angles + 4 * turning_error(rule) * rule->big_size;
}

/* What sixteen nodes have of one kind of steps. */
static void multiply_nodes(node *out, size_t first, size_t count, double step, const dpn_mixture_term *term,
                           double total, const double more[2], const double complex *turned,
                           const double complex *big) {
    for (size_t r = 0; r < DPN_MIXTURE_TURNS && first + r <= count; r++) {
        double omega = (double)(first + r) * step, error = phi_error(&term->rule, omega, total) + more[0];
        node *at = &out[first + r];
        multiply(at, creal(turned[r]), cimag(turned[r]), error, term->times);
        if (big) multiply_ratio(at, 1 + turned[r], big[r], error, big_error(&term->rule, omega) + more[1], term->times);
    }
}

static dpn_status add_term(node *out, size_t count, double step, const dpn_mixture_term *term, bool absent, bool rest) {
    const dpn_mixture_rule *rule = &term->rule;
    double total = 0;
    dpn_mixture_turns *turns;
    if (dpn_mixture_turns_new(&turns, rule, term->mixture.rate, step, rest)) return DPN_ENOMEM;
    for (size_t i = 0; i < rule->count; i++) total += hypot(rule->mass_re[i], rule->mass_im[i]);
    for (size_t j = 0; j <= count; j += DPN_MIXTURE_TURNS) {
        double complex turned[DPN_MIXTURE_TURNS], big[DPN_MIXTURE_TURNS];
        double more[2];
        dpn_mixture_turns_next(turned, big, more, turns);
        for (size_t r = 0; r < DPN_MIXTURE_TURNS && absent; r++) {
            turned[r] = conj(turned[r]);
            if (rest) big[r] = conj(big[r]);
        }
        multiply_nodes(out, j, count, step, term, total, more, turned, rest ? big : NULL);
    }
    dpn_mixture_turns_free(turns);
    return DPN_OK;
}

/* The transform at a node, over e^log_share, and a bound of its error. */
static void settle_node(dpn_mixture_line *line, size_t j, const node *n, bool rest, double log_share) {
    line->re[j] = line->im[j] = 0;
    if (isinf(n->error) || (rest && isinf(n->ratio_error))) {
        double size = n->log_size + (isinf(n->error) ? 0 : n->error);
        line->error[j] = (rest ? 2 : 1) * exp(fmin(size, 0) - log_share);
        return;
    }
    double size = exp(n->log_size - log_share), factor = 1, factor_error = 0;
    double value_re = size * cos(n->angle), value_im = size * sin(n->angle);
    line->re[j] = value_re;
    line->im[j] = value_im;
    if (rest) { /* 1 - (A/phi)^n = -expm1(-ratio) */
        double fall = expm1(-n->log_ratio), s = sin(0.5 * n->ratio_angle);
        double re = -fall * cos(n->ratio_angle) + 2 * s * s, im = (1 + fall) * sin(n->ratio_angle);
        line->re[j] = value_re * re - value_im * im;
        line->im[j] = value_re * im + value_im * re;
        factor = size_of(re, im);
        factor_error = (1 + fall) * expm1(fmin(1, n->ratio_error)) + 8 * ROUND * factor;
        if (n->ratio_error > 1) factor_error = factor + 1;
    }
    line->error[j] = size * (factor * (n->error + 16 * ROUND * (4 + fabs(n->angle))) + factor_error);
}

/* Times the kernel, twice where the node stands for its mirror image too. */
static void weigh_node(dpn_mixture_line *line, size_t j) {
    double omega = (double)j * line->step, theta = line->theta;
    double a = theta * (1 + theta) - omega * omega, b = omega * (1 + 2 * theta); /* z (1 + z), z = theta + i omega */
    double size = (j ? 2 : 1) / size_of(a, b), turn = (line->middle ? -0.5 : 0.5) * (j ? 1 : 2) * size * size;
    double re = line->re[j], im = line->im[j];
    line->size[j] = size_of(re, im) * size;
    line->error[j] *= size;
    line->re[j] = (re * a + im * b) * turn;
    line->im[j] = (im * a - re * b) * turn;
}

static dpn_status make_nodes(dpn_mixture_line *line, const dpn_mixtures *all, double log_share, dpn_error *why) {
    size_t count = (size_t)ceil(line->omega / line->step);
    node *nodes = calloc(count + 1, sizeof *nodes);
    double *room = malloc(4 * (count + 1) * sizeof *room);
    dpn_status status = nodes && room ? DPN_OK : DPN_ENOMEM;
    for (size_t i = 0; i < all->terms && !status; i++)
        status = add_term(nodes, count, line->step, &all->term[i], all->absent, all->rest);
    if (status) {
        free(nodes);
        free(room);
        return dpn_fail(why, status, "no memory for %zu nodes", count);
    }
    dpn_mixture_line_free(line);
    line->count = count;
    line->re = room;
    line->im = room + count + 1;
    line->error = room + 2 * (count + 1);
    line->size = room + 3 * (count + 1);
    for (size_t j = 0; j <= count; j++) {
        settle_node(line, j, &nodes[j], all->rest, log_share);
        weigh_node(line, j);
    }
    free(nodes);
    return DPN_OK;
}

void dpn_mixture_line_free(dpn_mixture_line *line) {
    free(line->re);
    line->re = line->im = line->error = line->size = NULL;
}

dpn_status dpn_mixture_line_make(dpn_mixture_line *line, dpn_mixtures *all, double epsilon, double work,
                                 dpn_error *why) {
    dpn_status status = choose_step(line, all, epsilon, why);
    if (status) return status;
    whole w;
    double goal = fmin(1e-10, 1e-3 * line->tolerance), share = 1;
    status = tilt_all(&w, all, line->theta, goal, true, why);
    if (!status && all->rest) { /* again, with an error that is small beside the big losses */
        share = -expm1(-w.big);
        status = tilt_all(&w, all, line->theta, goal * fmin(1, 0.1 * share), true, why);
        share = -expm1(-w.big);
    }
    if (status) return status;
    line->k = (dpn_mixture_cumulants){dpn_two_add(w.value, dpn_two(log(share))), w.error, w.mean, w.variance};
    status = truncate_line(line, all, work, why);
    return status ? status : make_nodes(line, all, log(share), why);
}

/* ---- delta ---- */

static double log_end(double unit, double unit_error, double x, double sign) {
    if (x <= 0) return -INFINITY;
    double log_x = log(x);
    return unit + log_x + sign * (unit_error + 2 * DBL_EPSILON * (fabs(unit) + fabs(log_x)));
}

/* The sum of the nodes times e^(-i omega epsilon), its real part, and a bound of its error. In blocks: the turns within a block are those of the first,
 * turned on by that of its first node. */
static double nodes_at(double *error, const dpn_mixture_line *line, double epsilon) {
    enum { BLOCK = 64 };
    double turn_re[BLOCK], turn_im[BLOCK], sizes = 0, doubt = 0;
    dpn_twofold value = dpn_two(0);
    for (size_t r = 0; r < BLOCK && r <= line->count; r++) {
        turn_re[r] = cos(epsilon * ((double)r * line->step));
        turn_im[r] = sin(epsilon * ((double)r * line->step));
    }
    for (size_t first = 0; first <= line->count; first += BLOCK) {
        size_t end = line->count + 1 - first < BLOCK ? line->count + 1 - first : BLOCK;
        const double *re = line->re + first, *im = line->im + first;
        double a = 0, b = 0, size = 0, last = epsilon * ((double)(first + end) * line->step);
        for (size_t r = 0; r < end; r++) {
            a += re[r] * turn_re[r] + im[r] * turn_im[r];
            b += im[r] * turn_re[r] - re[r] * turn_im[r];
            size += line->size[first + r];
            doubt += line->error[first + r];
        }
        double start = epsilon * ((double)first * line->step);
        value = dpn_two_add(value, dpn_two(a * cos(start) + b * sin(start)));
        doubt += size * 16 * ROUND * (4 + fabs(last));
        sizes += size;
    }
    *error = doubt + 4 * BLOCK * ROUND * sizes;
    return dpn_two_value(value);
}

void dpn_mixture_line_delta(double *log_lower, double *log_upper, const dpn_mixture_line *line, double epsilon) {
    double error, period = 2 * DPN_PI / line->step, value = nodes_at(&error, line, epsilon);
    double unit = unit_of(&line->k, line->theta, epsilon), weight = line->step / (2 * DPN_PI);
    double unit_error = 2 * line->k.error + 2 * DBL_EPSILON * fabs(unit);
    double middle = weight * value, above = weight * error + line->tail;
    double alias = alias_of(line, line->lower, epsilon, period) + alias_of(line, line->upper, epsilon, period);
    double least = log_end(unit, unit_error, middle - above - alias, -1);
    double most = log_end(unit, unit_error, middle + above, 1);
    *log_lower = line->middle ? (most < 0 ? log(-expm1(most)) : -INFINITY) : least;
    *log_upper = line->middle ? log1p(-exp(fmin(least, 0))) : fmin(most, 0);
}
