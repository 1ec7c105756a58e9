/* Integrals over the loss of spherical noise, by rules of Gauss and Legendre on cells, with bounds. */
#include "privacy/loss/spherical-integral.h"

#include "privacy/interval.h"
#include "privacy/loss/gauss-legendre.h"

#include <stddef.h>

#define ROUND (0.5 * DBL_EPSILON)

/* ---- coordinates ----
 * s = start + y^2 and t = 1 - (G/g) w^2 with g = alpha + beta s/2, G = g - epsilon = gap + beta y^2/2, so that L - epsilon = G (1 - w^2): what is
 * integrated is analytic in y >= 0 and in 0 <= w <= 1, also at the ends. Either the gap or start - 1 is 0.
 */
typedef struct integrand {
    dpn_spherical is;
    double m, start, apart, gap; /* apart is start - 1 */
    double doubt;                /* of epsilon, by the rounding of the start and the gap */
} integrand;

static integrand prepare(const dpn_spherical *what) {
    double alpha = what->alpha, beta = what->beta, z = 2 * (what->epsilon - alpha) / beta;
    integrand f = {.is = *what, .m = what->dimension, .start = 1, .gap = alpha - what->epsilon + 0.5 * beta};
    if (z > 1) {
        f.start = z;
        f.apart = z - 1;
        f.gap = 0;
    }
    f.gap = fmax(f.gap, 0);
    f.doubt = 8 * ROUND * (alpha + what->epsilon + beta);
    return f;
}

/* What a point owes to y alone. */
typedef struct row {
    double square, s, excess, ratio; /* y^2, s, G, G/g */
    double log_part, size;           /* of the logarithm, and the sum of the sizes of its terms */
} row;

static row row_at(const integrand *f, double y) {
    const dpn_spherical *is = &f->is;
    row r = {.square = y * y, .s = f->start + y * y};
    r.excess = f->gap + 0.5 * is->beta * r.square;
    r.ratio = r.excess / (is->epsilon + r.excess);
    double term[] = {f->apart > 0 ? log(y) + 0.5 * (f->m - 3) * log(f->apart + r.square)
                     : f->m == 2  ? 0
                                  : (f->m - 2) * log(y),
                     0.5 * (f->m - 1) * log(r.ratio), 0.5 * (f->m - 3) * log(r.s + 1), -0.5 * is->alpha * r.s,
                     -0.125 * is->beta * r.s * r.s};
    for (size_t i = 0; i < sizeof term / sizeof *term; i++) {
        r.log_part += term[i];
        r.size += fabs(term[i]);
    }
    return r;
}

/* The value at a point: a logarithm, the sizes of its terms, and a factor, which errs by some units of itself. */
static double log_at(const integrand *f, const row *r, double w, double log_w, double *times, double *size) {
    const dpn_spherical *is = &f->is;
    double part = r->ratio * w * w, t = 1 - part, more = r->excess * (1 - w) * (1 + w), loss = is->epsilon + more;
    double factor = (f->apart + r->square + part) * (r->s + t), exponent = 0.5 * loss;
    switch (is->factor) {
    case DPN_SPHERICAL_ALL:
        factor *= 1 + exp(-loss);
        break;
    case DPN_SPHERICAL_EXCESS:
        factor *= -expm1(-more);
        break;
    case DPN_SPHERICAL_TILTED:
        factor *= expm1(-is->theta * loss) * expm1(-(1 + is->theta) * loss);
        exponent = (0.5 + is->theta) * loss;
        break;
    case DPN_SPHERICAL_FORWARD:
        factor *= -loss * expm1(-loss);
        break;
    case DPN_SPHERICAL_BEYOND:
        exponent = -exponent;
        break;
    default:
        break;
    }
    double own = (f->m == 2 ? 0 : (f->m - 2) * log_w), turn = f->m == 3 ? 0 : 0.5 * (f->m - 3) * log(1 + t),
           square = -0.125 * is->beta * t * t;
    *times = factor;
    *size = r->size + fabs(own) + fabs(turn) + fabs(square) + fabs(exponent);
    return r->log_part + own + turn + square + exponent;
}

static double log_once(const integrand *f, double y, double w) {
    row r = row_at(f, y);
    double factor, size, part = log_at(f, &r, w, log(w), &factor, &size);
    return part + log(factor);
}

/* ---- bounds at complex points ---- */

/* from <= Re z <= to, |Im z| <= high. */
typedef struct region {
    double from, to, high;
} region;

static double most(const region *z) {
    return fmax(fabs(z->from), fabs(z->to));
}

static double least(const region *z) { /* of |Re z| */
    return z->from > 0 ? z->from : z->to < 0 ? -z->to : 0;
}

static double modulus(const region *z) {
    return hypot(most(z), z->high);
}

static region product(const region *a, const region *b) {
    double corner[] = {a->from * b->from, a->from * b->to, a->to * b->from, a->to * b->to}, low = corner[0],
           top = corner[0], cross = a->high * b->high;
    for (int i = 1; i < 4; i++) {
        low = fmin(low, corner[i]);
        top = fmax(top, corner[i]);
    }
    return (region){low - cross, top + cross, most(a) * b->high + most(b) * a->high};
}

static region square_of(const region *z) {
    double low = least(z), top = most(z);
    return (region){low * low - z->high * z->high, top * top, 2 * top * z->high};
}

static region shifted(double by, double times, const region *z) {
    double a = by + times * z->from, b = by + times * z->to;
    return (region){fmin(a, b), fmax(a, b), fabs(times) * z->high};
}

/* log |z^power| is at most this, -1/2 <= power. Where the power is not whole z has to stay away from its cut. */
static double log_power(const region *z, double power) {
    if (power == 0) return 0;
    if (power != floor(power) && !(z->from > 0)) return INFINITY;
    return power > 0 ? power * log(modulus(z)) : power * log(z->from);
}

/* log |Phi|. */
static double log_phi(const integrand *f, const region *more) {
    const dpn_spherical *is = &f->is;
    double low = is->epsilon + more->from, high = is->epsilon + more->to, theta = is->theta;
    switch (is->factor) {
    case DPN_SPHERICAL_ABOVE:
        return 0.5 * high;
    case DPN_SPHERICAL_BEYOND:
        return -0.5 * low;
    case DPN_SPHERICAL_EXCESS:
        if (more->high == 0) return 0.5 * high + log(-expm1(-fmax(0, more->to)));
        return dpn_log_add(0.5 * high, is->epsilon - 0.5 * low);
    case DPN_SPHERICAL_TILTED:
        return dpn_log_add((0.5 + theta) * high, 0.5 * high) + dpn_log_add(0, -(1 + theta) * low);
    case DPN_SPHERICAL_FORWARD:
        return log(hypot(fmax(fabs(low), fabs(high)), more->high)) + dpn_log_add(0.5 * high, -0.5 * low);
    default:
        return dpn_log_add(0.5 * high, -0.5 * low);
    }
}

/* log |what is integrated| is at most this on the product of two regions; +inf where it may not be analytic. */
static double log_bound(const integrand *f, const region *y, const region *w) {
    const dpn_spherical *is = &f->is;
    double m = f->m, epsilon = is->epsilon;
    region yy = square_of(y), ww = square_of(w), s = shifted(f->start, 1, &yy), apart = shifted(f->apart, 1, &yy),
           excess = shifted(f->gap, 0.5 * is->beta, &yy), g = shifted(epsilon, 1, &excess), one = shifted(1, 1, &s);
    if (!(g.from > 0 && s.from > 0)) return INFINITY;
    /* 1 - epsilon/g, and Re 1/g = x/(x^2 + y^2). */
    double lesser = fmin(g.from / (g.from * g.from + g.high * g.high), g.to / (g.to * g.to + g.high * g.high));
    region ratio = {1 - epsilon / g.from, 1 - epsilon * lesser, epsilon * g.high / (g.from * g.from)};
    double size = fmin(modulus(&excess) / g.from, modulus(&ratio));
    region part = product(&ratio, &ww), t = shifted(1, -1, &part), turn = shifted(1, 1, &t), rest = shifted(1, -1, &ww),
           more = product(&excess, &rest);
    double sum = m == 2 ? 0 : (m - 2) * log(modulus(w));
    if (f->apart > 0)
        sum += log(modulus(y)) + log_power(&apart, 0.5 * (m - 3));
    else
        sum += m == 2 ? 0 : (m - 2) * log(modulus(y));
    sum += 0.5 * (m - 1) * log(size);
    if (f->gap > 0 && fmod(m, 2) == 0 && !(excess.from > 0)) return INFINITY;
    sum += log_power(&one, 0.5 * (m - 3)) + log_power(&turn, 0.5 * (m - 3));
    sum += log(modulus(&apart) + size * modulus(w) * modulus(w)) + log(modulus(&s) + modulus(&t));
    sum -= 0.5 * is->alpha * s.from + 0.125 * is->beta * (s.from * s.from - s.high * s.high);
    sum -= 0.125 * is->beta * (least(&t) * least(&t) - t.high * t.high);
    return sum + log_phi(f, &more);
}

/* ---- where to stop, and what is large ---- */

/* log of a bound of the integral over s > S >= 2: there what is integrated over t is at most e^B, B concave. */
static double log_tail(const integrand *f, double s) {
    const dpn_spherical *is = &f->is;
    double k = is->factor == DPN_SPHERICAL_TILTED ? 0.5 + is->theta : is->factor == DPN_SPHERICAL_FORWARD ? 1 : 0.5;
    double slope = (f->m - 1) / s - 0.5 * is->alpha - 0.25 * is->beta * s + 0.5 * k * is->beta;
    double b = log(10) + 0.5 * fmax(0, f->m - 3) * log(2) + (f->m - 1) * log(s) - 0.5 * is->alpha * s -
               0.125 * is->beta * s * s + k * (is->alpha + 0.5 * is->beta * s);
    return slope < 0 ? b - log(-slope) : INFINITY;
}

/* About the largest value for y up to the end, within a factor of e or so: cells are measured by it, and the sum is right with any. */
static double log_top(const integrand *f, double end) {
    enum { ROWS = 24, COLUMNS = 8, STEPS = 8 };
    double best = -INFINITY, y = 0.5 * end, w = 0.5, wide = end / ROWS, high = 1.0 / COLUMNS;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double here = log_once(f, (i + 0.5) * wide, (j + 0.5) * high);
            if (here > best) best = here, y = (i + 0.5) * wide, w = (j + 0.5) * high;
        }
    for (int i = 0; i < STEPS; i++, wide *= 0.6, high *= 0.6)
        for (int side = 0; side < 4; side++) {
            double a = y + (side == 0   ? wide
                            : side == 1 ? -wide
                                        : 0),
                   b = w + (side == 2   ? high
                            : side == 3 ? -high
                                        : 0);
            double here = a > 0 && b > 0 && b < 1 ? log_once(f, a, b) : -INFINITY;
            if (here > best) best = here, y = a, w = b;
        }
    return best;
}

/* ---- cells ---- */

typedef struct cell {
    double y[2], w[2];
} cell;

typedef struct sum {
    double log_unit, value, error;
} sum;

#define LOG_GOAL (-30.0) /* of the largest value */

static region panel(const double at[2], double rho) {
    double c = 0.5 * (at[0] + at[1]), h = 0.5 * (at[1] - at[0]), wide = 0.5 * h * (rho + 1 / rho);
    return rho == 1 ? (region){at[0], at[1], 0} : (region){c - wide, c + wide, 0.5 * h * (rho - 1 / rho)};
}

/* Logarithms of bounds of the error of rules of 16 and of 32 points along y or along w, over the cell. */
static void rule_errors(double out[2], const integrand *f, const cell *c, bool along_y) {
    static const double rho[] = {1.5, 2, 3, 5, 9, 17};
    const double *at = along_y ? c->y : c->w, *other = along_y ? c->w : c->y;
    region still = panel(other, 1);
    out[0] = out[1] = INFINITY;
    for (size_t i = 0; i < sizeof rho / sizeof *rho; i++) {
        region moved = panel(at, rho[i]);
        double bound = log_bound(f, along_y ? &moved : &still, along_y ? &still : &moved);
        if (!(bound < INFINITY)) break;
        double constant =
            log(64.0 / 15 * 0.5 * (at[1] - at[0]) * (other[1] - other[0])) + bound - log1p(-1 / (rho[i] * rho[i]));
        out[0] = fmin(out[0], constant - 32 * log(rho[i]));
        out[1] = fmin(out[1], constant - 64 * log(rho[i]));
    }
}

/* A term errs by the rounding of its terms; by that of its place, some units of the cell's ends, which the slope of the logarithm magnifies; and
 * by the doubt of epsilon. What of this is the same along a row, and along a column. */
static double doubt_of_row(const integrand *f, const cell *c, const row *r, double y) {
    const dpn_spherical *is = &f->is;
    double tilt = 1 + is->theta,
           slope_y = (8 * f->m + 20 + is->beta) / y + 2 * tilt * (is->alpha + is->beta * r->s) * y;
    double moved = 4 * (f->m + 4) / r->excess + tilt;
    if (f->apart > 0)
        moved += 2 / is->beta * (2 * (f->m + 4) / (f->apart + r->square) + tilt * (is->alpha + is->beta * r->s));
    return ROUND * (64 + 8 * c->y[1] * slope_y + 8 * c->w[1] * 2 * tilt * r->excess) + f->doubt * moved;
}

static double doubt_of_column(const integrand *f, const cell *c, double w) {
    return ROUND * 8 * c->w[1] * ((2 * f->m + 4) / w + f->m + 2 + f->is.beta + 4 / (1 - w));
}

static void add_points(sum *out, const integrand *f, const cell *c, const dpn_gauss *across, const dpn_gauss *along) {
    double cy = 0.5 * (c->y[0] + c->y[1]), hy = 0.5 * (c->y[1] - c->y[0]), cw = 0.5 * (c->w[0] + c->w[1]),
           hw = 0.5 * (c->w[1] - c->w[0]), value = 0, error = 0, place[32], log_w[32], weight[32], column[32];
    for (size_t j = 0; j < 2 * along->half; j++) {
        size_t k = j < along->half ? j : j - along->half;
        place[j] = cw + (j < along->half ? -hw : hw) * along->node[k];
        log_w[j] = log(place[j]);
        weight[j] = along->weight[k];
        column[j] = doubt_of_column(f, c, place[j]);
    }
    for (size_t i = 0; i < 2 * across->half; i++) {
        size_t k = i < across->half ? i : i - across->half;
        double y = cy + (i < across->half ? -hy : hy) * across->node[k], line = 0, doubt = 0;
        row r = row_at(f, y);
        double of_row = doubt_of_row(f, c, &r, y) + 4 * ROUND * fabs(out->log_unit);
        for (size_t j = 0; j < 2 * along->half; j++) {
            double factor, size, part = log_at(f, &r, place[j], log_w[j], &factor, &size);
            double term = weight[j] * factor * exp(part - out->log_unit);
            line += term;
            doubt += term * (of_row + column[j] + 4 * ROUND * size);
        }
        value += across->weight[k] * line;
        error += across->weight[k] * doubt;
    }
    out->value += hy * hw * value;
    out->error += hy * hw * error;
}

static cell half_of(const cell *c, bool along_y, int side) {
    cell out = *c;
    double *at = along_y ? out.y : out.w;
    at[1 - side] = 0.5 * (at[0] + at[1]);
    return out;
}

/* A cell is left out if its bound is small, summed if the rules are near enough, else cut in two. */
static bool add_cells(sum *out, const integrand *f, double end) {
    enum { DEPTH = 200, MOST = 20000 };
    cell stack[DEPTH + 2] = {{{0, end}, {0, 1}}};
    int looks = 0;
    for (int waiting = 1; waiting > 0; looks++) {
        cell c = stack[--waiting];
        double along[2], across[2], area = (c.y[1] - c.y[0]) * (c.w[1] - c.w[0]);
        region y = panel(c.y, 1), w = panel(c.w, 1);
        double whole = log_bound(f, &y, &w) + log(area) - out->log_unit;
        if (whole <= LOG_GOAL) {
            out->error += exp(whole);
            continue;
        }
        rule_errors(across, f, &c, true);
        rule_errors(along, f, &c, false);
        for (int i = 0; i < 2; i++) across[i] -= out->log_unit, along[i] -= out->log_unit;
        if (across[1] <= LOG_GOAL && along[1] <= LOG_GOAL) {
            int rows = across[0] > LOG_GOAL, columns = along[0] > LOG_GOAL;
            add_points(out, f, &c, &dpn_gauss_rule[1 + rows], &dpn_gauss_rule[1 + columns]);
            out->error += 2 * (exp(across[rows]) + exp(along[columns]));
            continue;
        }
        if (waiting + 2 > DEPTH || looks > MOST) return false;
        bool along_y =
            across[1] > along[1] || (isinf(along[1]) && isinf(across[1]) && c.y[1] - c.y[0] > c.w[1] - c.w[0]);
        stack[waiting++] = half_of(&c, along_y, 1);
        stack[waiting++] = half_of(&c, along_y, 0);
    }
    return true;
}

bool dpn_spherical_integral(double *log_value, double *error, const dpn_spherical *what) {
    integrand f = prepare(what);
    double s = fmax(2, f.start) + 1;
    sum out = {0};
    while (log_tail(&f, s) == INFINITY && s < 1e12) s *= 1.5;
    /* The top of what is integrated lies about where the bound begins to fall, before twice the way there. */
    out.log_unit = log_top(&f, sqrt(2 * (s - f.start)));
    for (int i = 0; i < 200 && log_tail(&f, s) - out.log_unit > LOG_GOAL; i++) s = f.start + 1.2 * (s - f.start);
    double rest = log_tail(&f, s) - out.log_unit;
    if (!(rest <= 0) || !add_cells(&out, &f, sqrt(s - f.start))) return false;
    *error = 2 * (out.error + exp(rest)) / out.value + 64 * DBL_EPSILON * (1 + fabs(out.log_unit));
    *log_value = out.log_unit + log(out.value);
    return *error < 1e-4;
}
