#include "reference/points.h"

#include <math.h>

static double near(draw_source *source, double t) {
    switch ((int)draw_uniform(source, 0, 5)) {
    case 0:
        return nextafter(t, INFINITY);
    case 1:
        return nextafter(t, 0);
    case 2:
        return t * (1 + draw_log_uniform(source, 1e-15, 1e-2));
    case 3:
        return t * (1 - draw_log_uniform(source, 1e-15, 1e-2));
    default:
        return t;
    }
}

/* An x > 0 where the increasing f(x) is about to overflow: f(x) from 1e300 to beyond the largest double. */
static double where_large(draw_source *source, real (*f)(const ref_law *, real), const ref_law *reference) {
    double low = -1000, high = 1023, target = draw_chance(source, 0.5) ? 1 : draw_log_uniform(source, 1e-8, 2);
    for (int i = 0; i < 64; i++) {
        size_t mark = r_mark();
        double middle = (low + high) / 2;
        real scaled = r_div(f(reference, r_num(exp2(middle))), r_num(0x1p1023));
        if (r_less(scaled, r_num(target)))
            low = middle;
        else
            high = middle;
        r_release(mark);
    }
    return exp2(low);
}

static double magnitude(draw_source *source, const dpn_law *law, const ref_law *reference, const double *parameter,
                        double spread) {
    const struct ref_family *family = reference->family;
    double kind = draw_uniform(source, 0, 1);
    if (kind < 0.15 && family->breakpoint) return fabs(near(source, family->breakpoint(source, parameter)));
    if (kind < 0.3) return spread * draw_log_uniform(source, 1e-3, 1e3);
    if (kind < 0.36) return spread * draw_log_uniform(source, 1e-20, 1e-3);
    if (kind < 0.38) return 0;
    if (kind < 0.42) return draw_log_uniform(source, 1e-300, 1e300);
    if (kind < 0.44) return where_large(source, ref_psi, reference);
    if (kind < 0.7) {
        double p = kind < 0.55 ? 1e-300 : draw_uniform(source, 0, 0.5);
        double farther = kind < 0.55 ? draw_log_uniform(source, 1, kind < 0.5 ? 3 : 1e8) : 1;
        return fabs(dpn_law_isf(law, p)) * farther;
    }
    return fabs(dpn_law_isf(law, draw_log_uniform(source, 1e-300, 0.5)));
}

double points_argument(draw_source *source, const dpn_law *law, const ref_law *reference, const double *parameter,
                       double spread) {
    double t = magnitude(source, law, reference, parameter, spread);
    if (reference->family->integer && draw_chance(source, 0.85)) t = floor(t);
    return draw_chance(source, 0.5) ? t : -t;
}

double points_probability(draw_source *source) {
    double kind = draw_uniform(source, 0, 1), p;
    if (kind < 0.1)
        p = 0.5 - draw_log_uniform(source, 0x1p-54, 0.25);
    else if (kind < 0.3)
        p = draw_uniform(source, 1e-3, 0.5);
    else
        p = draw_log_uniform(source, 1e-300, 0.5);
    if (!draw_chance(source, 0.4)) return p;
    return fmin(1 - p, 1 - 0x1p-53);
}

double points_tilt(draw_source *source, const ref_law *reference, double bound, double spread) {
    double kind = draw_uniform(source, 0, 1);
    if (kind < 0.1) return draw_log_uniform(source, 1e-20, 1e-3) / spread;
    if (isinf(bound)) {
        if (kind > 0.95) return where_large(source, ref_log_mgf, reference);
        return fmin(draw_log_uniform(source, 1e-3, kind < 0.8 ? 1e3 : 1e9) / spread, 1e300);
    }
    if (kind < 0.3) return near(source, bound);
    if (kind < 0.6) return bound * (1 - draw_log_uniform(source, 1e-16, 1));
    return bound * draw_log_uniform(source, 1e-3, 1);
}
