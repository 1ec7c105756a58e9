/* How fast the transform of a tilted loss falls: pieces of densities, cuts of them, atoms and samples, each against what it bounds, looked at on
 * fine grids, from both sides. */
#include "privacy/loss/decay.c" /* to see each bound */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool near(double x, double y, double relative) {
    return fabs(x - y) <= relative * fmax(fabs(x), fabs(y));
}

/* ---- densities, piece by piece ---- */

static double at(const dpn_quadratic *q, double s) {
    return q->c[0] + q->c[1] * s + q->c[2] * s * s;
}

static void tops_of_quadratics(void **state) {
    (void)state;
    enum { POINTS = 4000 };
    draw_source source = {101};
    for (int trial = 0; trial < 60; trial++) {
        dpn_quadratic q = {{draw_uniform(&source, -2, 2), draw_uniform(&source, -3, 3), draw_uniform(&source, -3, 3)}};
        double a = draw_uniform(&source, -2, 1), b = a + draw_uniform(&source, 0.1, 3), top = -INFINITY;
        for (int i = 0; i <= POINTS; i++) top = fmax(top, at(&q, a + (b - a) * i / POINTS));
        double got = quadratic_top(&q, a, b);
        if (!(got >= top - 1e-12 && got <= top + 1e-5)) fail_msg("%.12g, seen %.12g", got, top);
    }
}

/* The density of the loss at a point of a segment, of its side `kappa`. */
typedef struct subject {
    dpn_segment segment;
    dpn_quadratic exponent;
    double top, total;
} subject;

static double density(const subject *x, double s) {
    return exp(at(&x->exponent, s) - x->top) / (fabs(x->segment.loss.c[1] + 2 * x->segment.loss.c[2] * s) * x->total);
}

static void peaks_where_the_loss_is_straight(void **state) {
    (void)state;
    draw_source source = {102};
    for (int trial = 0; trial < 60; trial++) {
        subject x = {.top = draw_uniform(&source, -3, 3), .total = draw_log_uniform(&source, 0.1, 10)};
        bool endless = trial % 3 == 0;
        x.segment = (dpn_segment){.length = endless ? INFINITY : draw_uniform(&source, 0.1, 4),
                                  .loss = {{0.3, draw_log_uniform(&source, 0.1, 10), 0}}};
        x.exponent = (dpn_quadratic){{draw_uniform(&source, -2, 2), draw_uniform(&source, -3, 3),
                                      (endless ? -1 : 1) * draw_uniform(&source, 0.05, 2)}};
        double end = endless ? 40 : x.segment.length, most = 0;
        for (int i = 0; i <= 20000; i++) most = fmax(most, density(&x, end * i / 20000));
        double got = linear_peak(&x.segment, &x.exponent, x.top, x.total);
        if (!(got >= most * (1 - 1e-12) && got <= most * (1 + 1e-4)))
            fail_msg("endless %d: %.12g, seen %.12g", endless, got, most);
    }
}

/* From the stationary point on the density falls to its first valley: that is an edge, and the largest value of what follows is a peak. */
static void pieces_where_the_loss_is_bent(void **state) {
    (void)state;
    enum { POINTS = 60000 };
    static double seen[POINTS + 1];
    draw_source source = {103};
    size_t both = 0, edge_alone = 0, peak_alone = 0, ends = 0;
    for (int trial = 0; trial < 240; trial++) {
        subject x = {.top = draw_uniform(&source, -3, 3), .total = draw_log_uniform(&source, 0.1, 10)};
        double bend = (trial % 2 ? 1 : -1) * draw_log_uniform(&source, 0.1, 5),
               first = trial % 5 ? draw_uniform(&source, 0, 2) : 0;
        double length = draw_uniform(&source, 0.2, 4);
        /* |L'| = first + 2 |bend| y from the end that is nearer to the stationary point. */
        double slope = bend > 0 ? first : first + 2 * fabs(bend) * length;
        x.segment = (dpn_segment){.length = length, .loss = {{0.1, slope, bend}}};
        x.exponent = (dpn_quadratic){{draw_uniform(&source, -1, 1), draw_uniform(&source, -6, 6),
                                      trial % 4 < 2    ? draw_uniform(&source, -3, 3)
                                      : trial % 8 == 3 ? 0
                                                       : -0.1}};
        dpn_decay got = {0};
        add_quadratic(&got, &x.segment, &x.exponent, x.top, x.total);
        double curvature = 2 * fabs(bend), from = first / curvature, to = from + length;
        for (int i = 0; i <= POINTS; i++) {
            double y = length * (i + (i == 0 && from == 0 ? 0.5 : 0)) / POINTS;
            seen[i] = density(&x, bend > 0 ? y : length - y);
        }
        int valley = 0;
        while (valley < POINTS && seen[valley + 1] < seen[valley]) valley++;
        double peak = 0, amplitude = 0, unit = length / POINTS;
        for (int i = valley; i <= POINTS; i++) peak = fmax(peak, seen[i]);
        for (int i = 0; i <= valley; i++) { /* amplitude/(curvature y) is the least such bound of the density */
            double s = bend > 0 ? i * unit : length - i * unit;
            amplitude = fmax(amplitude, exp(at(&x.exponent, s) - x.top) / x.total);
        }
        if (got.edges == 0 && valley == POINTS) { /* beyond the second root it falls too: one piece, like any other */
            double C = x.exponent.c[2], B = (bend > 0 ? 1 : -1) * (x.exponent.c[1] + 2 * C * (bend > 0 ? -from : to));
            assert_true(C < 0 && B > 0 && B * B + 8 * C > 0 && from > 0);
            assert_true(near(got.peaks, seen[0], 1e-9));
            continue;
        }
        if (valley > 2) {
            assert_int_equal(got.edges, 1);
            const dpn_edge *edge = &got.edge[0];
            assert_true(near(edge->curvature, curvature, 1e-12) && fabs(edge->from - from) <= 1e-9 * to);
            if (!(fabs(edge->to - (from + valley * unit)) <= 0.02 * length))
                fail_msg("edge to %g, seen %g", edge->to, from + valley * unit);
            if (!(edge->amplitude >= amplitude * (1 - 1e-3) && edge->amplitude <= amplitude * 1.03))
                fail_msg("amplitude %.9g, seen %.9g", edge->amplitude, amplitude);
        }
        if (valley > 2 && valley == POINTS) {
            edge_alone++;
            assert_true(got.peaks == 0);
        } else if (valley < POINTS - 2) {
            if (!(got.peaks >= peak * (1 - 1e-9) && got.peaks <= peak * (1 + 1e-4)))
                fail_msg("peak %.9g, seen %.9g", got.peaks, peak);
            if (valley == 0) assert_int_equal(got.edges, 0);
            *(valley > 2 ? &both : &peak_alone) += 1;
            ends += valley > 2 && seen[POINTS] < peak;
        }
    }
    assert_true(both > 20 && edge_alone > 20 && peak_alone > 5 && ends > 3);
}

/* Both tilts of each segment; at the loss 0 a straight segment and its mirror image are one piece. */
static void both_sides_are_added(void **state) {
    (void)state;
    const double theta = 0.7, top = 0.4, total = 1.9;
    for (int i = 0; i < 3; i++) {
        dpn_shape shape = {.symmetric = true, .segments = 2};
        shape.segment[0] = (dpn_segment){
            .length = 1.2, .log_density = {{-0.2, 0.3, -0.4}}, .loss = {{i == 0 ? 0 : 0.5, 1.7, i == 2 ? 0.6 : 0}}};
        shape.segment[1] = (dpn_segment){.length = 0.9, .log_density = {{-0.5, 0.1, -0.2}}, .loss = {{0.8, 1.1, 0}}};
        double peaks = 0;
        for (int k = 0; k < 2; k++) {
            double side[2] = {0, 0};
            const dpn_segment *segment = &shape.segment[k];
            for (int j = 0; j <= 20000; j++) {
                double s = segment->length * j / 20000, slope = segment->loss.c[1] + 2 * s * segment->loss.c[2],
                       loss = at(&segment->loss, s), plain = at(&segment->log_density, s) - top;
                side[0] = fmax(side[0], exp(plain + theta * loss) / slope / total);
                side[1] = fmax(side[1], exp(plain - (1 + theta) * loss) / slope / total);
            }
            if (k == 0 && i == 2) continue; /* edges or peaks, as above */
            peaks += k == 0 && i == 0 ? fmax(side[0], side[1]) : side[0] + side[1];
        }
        dpn_decay got = {0}, bent = {0};
        dpn_decay_add(&got, &shape, theta, top, total);
        if (i < 2) {
            if (!(near(got.peaks, peaks, 1e-6))) fail_msg("%.12g, seen %.12g", got.peaks, peaks);
            assert_int_equal(got.edges, 0);
        } else { /* the two tilts, one by one */
            dpn_quadratic plus, minus;
            for (int c = 0; c < 3; c++) {
                plus.c[c] = shape.segment[0].log_density.c[c] + 0.7 * shape.segment[0].loss.c[c];
                minus.c[c] = shape.segment[0].log_density.c[c] - 1.7 * shape.segment[0].loss.c[c];
            }
            add_quadratic(&bent, &shape.segment[0], &plus, top, total);
            add_quadratic(&bent, &shape.segment[0], &minus, top, total);
            assert_int_equal(got.edges, bent.edges);
            assert_true(bent.edges + (bent.peaks > 0) > 0 && near(got.peaks, peaks + bent.peaks, 1e-6));
            for (size_t e = 0; e < bent.edges; e++)
                assert_true(near(got.edge[e].amplitude, bent.edge[e].amplitude, 1e-12) &&
                            near(got.edge[e].to, bent.edge[e].to, 1e-12));
        }
    }
}

/* ---- H: the least concave function above the largest sin(x)/x from 1/r on ---- */

/* Of (r, sup sin(x)/x over x >= 1/r), beginning at r = 0, by the lines between any two of many points. */
static double hull(double r) {
    enum { POINTS = 3000 };
    static double place[POINTS], height[POINTS];
    if (height[0] == 0) {
        double lobe = 0;
        for (double x = 3.2; x < 10; x += 1e-4) lobe = fmax(lobe, sin(x) / x);
        for (int i = 0; i < POINTS; i++) {
            place[i] = i ? 5.0 * i / POINTS : 0;
            height[i] = fmax(lobe, place[i] > 1 / 3.14 ? place[i] * sin(1 / place[i]) : 0);
        }
    }
    double best = 0;
    for (int i = 0; i < POINTS && place[i] <= r; i++)
        if (place[i] == r) best = fmax(best, height[i]);
    double left = height[0], steep = -INFINITY; /* the steepest line from (0, lobe) */
    int touch = 0;
    for (int i = 1; i < POINTS; i++)
        if ((height[i] - left) / place[i] > steep) steep = (height[i] - left) / place[i], touch = i;
    return fmax(best, r < place[touch] ? left + r * steep : r * sin(1 / r));
}

static void the_concave_function(void **state) {
    (void)state;
    double before = 0, slope = INFINITY;
    for (double r = 1e-6; r < 4; r += 1e-3) {
        double h = concave_sinc(r);
        if (!(h >= hull(r) - 1e-9 && h <= hull(r) + 5e-5)) fail_msg("H(%g) = %.9g, seen %.9g", r, h, hull(r));
        assert_true(h >= before && h <= 1);
        if (before > 0 && !((h - before) / 1e-3 <= slope + 3e-5))
            fail_msg("steeper at %g: %.9g after %.9g", r, (h - before) / 1e-3, slope);
        slope = before > 0 ? (h - before) / 1e-3 : INFINITY;
        before = h;
    }
    /* What is above the first lobe's end is above all that follow, and the line is not below the curve where it leaves it. */
    assert_true(concave_sinc(1e-12) > 0.12837455 && concave_sinc(1e-12) < 0.1285);
    const double touch = 1 / 1.442040871;
    assert_true(concave_sinc(nextafter(touch, 0)) >= touch * sin(1 / touch) &&
                concave_sinc(touch * (1 - 1e-4)) >= touch * (1 - 1e-4) * sin(1 / (touch * (1 - 1e-4))));
    assert_true(concave_sinc(1e5) == 1e5 * sin(1e-5) && fabs(concave_sinc(1e9) - 1) < 1e-15);
}

/* ---- densities that are cut ---- */

/* By (b): from the mass and the sum of the largest values. */
static double of_pieces(double mass, double sum, double omega) {
    return fmin(mass * sqrt(hull(2 * sum / (mass * omega))), 2 * sum / omega);
}

static void a_flat_density_meets_its_bound(void **state) {
    (void)state;
    for (double omega = 0.1; omega < 200; omega *= 1.3)
        for (double mass = 0.2; mass <= 1; mass += 0.4) {
            const double width = 1.4;
            dpn_decay decay = {.rest = mass, .peaks = mass / width};
            double expected = fmin(mass, of_pieces(mass, mass / width, omega)), truth = 0;
            for (double w = omega; w < omega + 10; w += 0.01)
                truth = fmax(truth, fabs(mass * sin(0.5 * w * width) / (0.5 * w * width)));
            double got = dpn_decay_rest(&decay, omega);
            if (!(got >= truth && near(got, expected, 2e-4))) fail_msg("%g: %.9g, not %.9g", omega, got, expected);
        }
    dpn_decay endless = {.rest = 0.8, .peaks = 0.1, .edges = 1}; /* an edge without an end cannot be cut */
    endless.edge[0] = (dpn_edge){0.5, 1, 0, INFINITY};
    assert_true(dpn_decay_rest(&endless, 100) == 0.8);
    const dpn_decay nothing = {.peaks = 3};
    assert_true(dpn_decay_rest(&nothing, 5) == 0);
}

/* With the densities cut at this distance, by adding up what is above the cut. */
static double with_cut(const dpn_decay *decay, double omega, double x) {
    double sum = decay->peaks, excess = 0;
    for (size_t i = 0; i < decay->edges; i++) {
        const dpn_edge *edge = &decay->edge[i];
        double cut = x / sqrt(edge->curvature);
        if (cut < edge->from) cut = edge->from;
        if (cut > edge->to) cut = edge->to;
        if (cut == 0) return decay->rest;
        double height = edge->amplitude / (edge->curvature * cut);
        sum += height;
        if (cut == edge->from) continue;
        const int cells = 2000; /* from the stationary point on, whether the piece begins there or later */
        for (int k = 0; k < cells; k++) {
            double y = cut * (k + 0.5) / cells;
            excess += (edge->amplitude / (edge->curvature * y) - height) * edge->curvature * y * cut / cells;
        }
    }
    double left = decay->rest - excess;
    return left > 0 ? fmin(decay->rest, excess + of_pieces(left, sum, omega)) : decay->rest;
}

static void the_best_cut_is_found(void **state) {
    (void)state;
    draw_source source = {104};
    double worst = 0;
    for (int trial = 0; trial < 60; trial++) {
        dpn_decay decay = {.rest = draw_uniform(&source, 0.3, 1), .edges = 1 + (size_t)trial % 3};
        if (trial % 2) decay.peaks = draw_log_uniform(&source, 0.01, 1);
        for (size_t i = 0; i < decay.edges; i++) {
            double from = trial % 4 < 2 ? 0 : draw_uniform(&source, 0.01, 0.3);
            decay.edge[i] =
                (dpn_edge){draw_log_uniform(&source, 0.05, 0.5), draw_log_uniform(&source, 0.1, trial % 5 ? 10 : 1000),
                           from, from + draw_uniform(&source, 0.2, 2)};
        }
        double omega = draw_log_uniform(&source, 0.5, 1e4), best = decay.rest, longest = 0;
        for (size_t i = 0; i < decay.edges; i++)
            longest = fmax(longest, decay.edge[i].to * sqrt(decay.edge[i].curvature));
        for (double x = longest; x > 1e-3 * longest / sqrt(omega); x *= 0.93) {
            double cut = rest_cut(&decay, omega, x), expected = with_cut(&decay, omega, x);
            best = fmin(best, expected);
            if (!(near(fmin(cut, decay.rest), expected, 1e-3))) fail_msg("cut at %g: %.9g, not %.9g", x, cut, expected);
        }
        if (trial % 4 >= 2) best = fmin(best, with_cut(&decay, omega, 0)); /* nothing cut off */
        double got = dpn_decay_rest(&decay, omega);
        if (!(got >= best * (1 - 1e-3) && got <= best * 1.12 + 1e-12))
            fail_msg("from %g on: %.9g, best %.9g", omega, got, best);
        worst = fmax(worst, got / best);
    }
    print_message("# at most %.3f times the best cut\n", worst);
}

static void the_best_of_given_cuts_is_taken(void **state) {
    (void)state;
    draw_source source = {105};
    for (int trial = 0; trial < 40; trial++) {
        dpn_decay decay = {.rest = draw_uniform(&source, 0.3, 1), .cuts = 1 + (size_t)trial % 5};
        double omega = draw_log_uniform(&source, 0.1, 100), best = decay.rest;
        for (size_t i = 0; i < decay.cuts; i++) {
            decay.cut[i] = (dpn_cut){draw_log_uniform(&source, 1e-3, 1), draw_log_uniform(&source, 0.01, 10)};
            double left = decay.rest - decay.cut[i].excess;
            if (left > 0) best = fmin(best, decay.cut[i].excess + of_pieces(left, decay.cut[i].peaks, omega));
        }
        if (!near(dpn_decay_rest(&decay, omega), best, 2e-4))
            fail_msg("%.9g, not %.9g", dpn_decay_rest(&decay, omega), best);
    }
}

/* ---- atoms ---- */

static double pair_size(double u, double v, double l, double omega) {
    return cabs(u * cexp(I * (omega * l)) + v * cexp(-I * (omega * l)));
}

static void pairs_come_back_to_phase(void **state) {
    (void)state;
    draw_source source = {106};
    size_t helped = 0;
    for (int trial = 0; trial < 200; trial++) {
        double q = trial % 3 ? draw_uniform(&source, 0.2, 0.95) : 1, share = draw_uniform(&source, 0.5, 1),
               l = draw_log_uniform(&source, 0.1, 10);
        double u = q * share, v = q - u, omega = draw_uniform(&source, 0, 1.1) * DPN_PI / l,
               end = fmin(DPN_PI / l, omega + draw_uniform(&source, 0, 1) * DPN_PI / l);
        dpn_decay decay = {.atoms = fmin(1, q * (1 + DPN_DECAY_MARGIN)),
                           .rest = 1 - q,
                           .pair = l,
                           .lesser = v * (1 - DPN_DECAY_MARGIN)};
        decay.peaks = decay.rest * draw_log_uniform(&source, 0.01, 3);
        if (omega < end) {
            double most = 0;
            for (int i = 0; i <= 1000; i++) most = fmax(most, pair_size(u, v, l, omega + (end - omega) * i / 1000));
            double got = pair_bound(&decay, omega, end);
            if (!(got >= most * (1 - 1e-12) && got <= most + 3e-6 / (0.01 + most)))
                fail_msg("%.12g, seen %.12g", got, most);
        }
        /* Any end will do; those at 0.7, 0.8 and 0.9 of the way back are taken, or none. */
        double best = fmin(1, q + dpn_decay_rest(&decay, omega)), got = far_bound(&decay, omega), alone = best;
        for (double part = 0.7; part < 0.95; part += 0.1) {
            double last = part * DPN_PI / l;
            if (omega >= last) continue;
            double most = fmax(pair_size(u, v, l, omega), pair_size(u, v, l, last));
            best = fmin(best, fmax(most + dpn_decay_rest(&decay, omega), q + dpn_decay_rest(&decay, last)));
        }
        helped += best < alone - 1e-3;
        if (!(fabs(got - best) <= 1e-4 && got <= 1)) fail_msg("from %g on: %.9g, not %.9g", omega, got, best);
    }
    assert_true(helped > 10);
    dpn_decay single = {.atoms = 0.6, .rest = 0.3, .peaks = 0.1}; /* no pair: by the triangle */
    assert_true(fabs(far_bound(&single, 2) - (0.6 + dpn_decay_rest(&single, 2))) < 1e-15);
    single.atoms = 0.9;
    assert_true(far_bound(&single, 1e-3) == 1);
}

/* ---- moments, and samples between them and the rest ---- */

/* A pair of points: |phi|^2 = 1 - 4 u v sin^2, of which the bound is the fourth Taylor polynomial. */
static void moments_bound_what_is_near(void **state) {
    (void)state;
    for (double u = 0.1; u < 0.95; u += 0.2)
        for (double l = 0.3; l < 3; l *= 2) {
            double v = 1 - u, mean = (u - v) * l, up = l - mean, down = -l - mean,
                   square = u * up * up + v * down * down, fourth = u * pow(up, 4) + v * pow(down, 4);
            dpn_decay decay = {.variance = square, .fourth = fourth, .atoms = 1, .rest = 1e-12};
            /* sum over pairs of points of (x - y)^4 p q is 2 fourth + 6 square^2. */
            double power = 2 * u * v * pow(2 * l, 4), end = sqrt(12 * square / power);
            assert_true(near(end_of_moments(&decay), end, 1e-6) && end_of_moments(&decay) <= end);
            for (double omega = 0.02 * end; omega < end * (1 - 1e-6); omega += 0.02 * end) {
                double bound = 1 - omega * omega * square + pow(omega, 4) * power / 24,
                       got = dpn_decay_log_bound(&decay, omega);
                if (!(got >= log(pair_size(u, v, l, omega)) && 2 * got >= log(bound) &&
                      2 * got <= log(bound) + 4e-7 * omega * omega * square / bound + 1e-11))
                    if (!(got == log(far_bound(&decay, end_of_moments(&decay)))))
                        fail_msg("%g: %.12g, not %.12g", omega, got, 0.5 * log(bound));
            }
            assert_true(dpn_decay_log_bound(&decay, 0) == 0 && dpn_decay_log_bound(&decay, 2 * end) == 0);
            /* What follows the moments may be more than they are where they end: then it is the bound there too. */
            decay.atoms = 0.3, decay.rest = 0.7, decay.peaks = 1e9;
            assert_true(dpn_decay_log_bound(&decay, 0.9 * end) == 0);
            decay.rest = 0.65;
            assert_true(near(
                dpn_decay_log_bound(&decay, 0.99 * end),
                fmax(log(0.95), 0.5 * log(1 - pow(0.99 * end, 2) * square + pow(0.99 * end, 4) * power / 24)), 1e-4));
        }
}

static double complex phi_of(const dpn_shape *shape, double theta, double omega, double top, double total) {
    double complex z = theta + I * omega;
    return (dpn_mgf_segments(shape, z, top) + dpn_mgf_atoms(shape, z, top)) / total;
}

static void samples_close_the_gap(void **state) {
    (void)state;
    draw_source source = {107};
    for (int trial = 0; trial < 20; trial++) {
        /* A pair of atoms and two segments, straight and bent. */
        dpn_shape shape = {.symmetric = true, .segments = 2, .atoms = 1};
        shape.segment[0] = (dpn_segment){.length = 1, .log_density = {{-1, 0.4, -0.3}}, .loss = {{0, 1.5, 0}}};
        shape.segment[1] = (dpn_segment){.length = 1.5, .log_density = {{-1, -0.2, 0}}, .loss = {{0.3, 0.5, 0.4}}};
        shape.atom[0] = (dpn_atom){draw_uniform(&source, 0.5, 2), log(draw_uniform(&source, 0.05, 0.5))};
        double theta = draw_uniform(&source, 0, 1.5), top = draw_uniform(&source, -1, 1);
        double total = creal(phi_of(&shape, theta, 0, top, 1));
        dpn_decay decay = {.variance = draw_uniform(&source, 0.5, 1.5), .fourth = 4, .atoms = 1, .rest = 1};
        double from = end_of_moments(&decay), spacing = 7 * from / 24, largest = 0, between = 0;
        dpn_decay_scan(&decay, &shape, theta, top, total);
        for (int i = 0; i <= 24 * 20; i++) {
            double size = cabs(phi_of(&shape, theta, from + i * spacing / 20, top, total));
            between = fmax(between, size);
            if (i % 20 == 0) largest = fmax(largest, size);
        }
        double square = largest * largest + 0.25 * decay.variance * spacing * spacing,
               got = decay.scan_bound * decay.scan_bound;
        if (!(got >= square && got <= square + 1e-6 && decay.scan_bound >= between))
            fail_msg("%.12g, not %.12g", got, square);
        assert_true(near(decay.scanned, 8 * from, 1e-12));
        /* Up to there it holds, and what follows has to be held by the rest. */
        dpn_decay known = decay;
        known.scan_bound = 0.4, known.atoms = 0.1, known.rest = 0.85, known.peaks = 0.05 * from;
        double later = 0.1 + dpn_decay_rest(&known, 8 * from);
        assert_true(near(dpn_decay_log_bound(&known, 2 * from),
                         log(fmin(0.1 + dpn_decay_rest(&known, 2 * from), fmax(0.4, later))), 1e-9));
        known.scan_bound = 0.01;
        assert_true(near(dpn_decay_log_bound(&known, 1.01 * from), log(later), 1e-9));
        assert_true(near(dpn_decay_log_bound(&known, 9 * from), log(0.1 + dpn_decay_rest(&known, 9 * from)), 1e-9));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tops_of_quadratics),
        cmocka_unit_test(peaks_where_the_loss_is_straight),
        cmocka_unit_test(pieces_where_the_loss_is_bent),
        cmocka_unit_test(both_sides_are_added),
        cmocka_unit_test(the_concave_function),
        cmocka_unit_test(a_flat_density_meets_its_bound),
        cmocka_unit_test(the_best_cut_is_found),
        cmocka_unit_test(the_best_of_given_cuts_is_taken),
        cmocka_unit_test(pairs_come_back_to_phase),
        cmocka_unit_test(moments_bound_what_is_near),
        cmocka_unit_test(samples_close_the_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
