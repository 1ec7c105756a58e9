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

static double magnitude(draw_source *source, const dpn_law *law, const struct ref_family *family,
                        const double *parameter, double spread) {
    double kind = draw_uniform(source, 0, 1);
    if (kind < 0.15 && family->breakpoint) return fabs(near(source, family->breakpoint(source, parameter)));
    if (kind < 0.3) return spread * draw_log_uniform(source, 1e-3, 1e3);
    if (kind < 0.36) return spread * draw_log_uniform(source, 1e-20, 1e-3);
    if (kind < 0.38) return 0;
    if (kind < 0.42) return draw_log_uniform(source, 1e-300, 1e300);
    if (kind < 0.55)
        return fabs(dpn_law_isf(law, 1e-300)) * draw_log_uniform(source, 1, draw_chance(source, 0.5) ? 3 : 1e8);
    if (kind < 0.7) return fabs(dpn_law_isf(law, draw_uniform(source, 0, 0.5)));
    return fabs(dpn_law_isf(law, draw_log_uniform(source, 1e-300, 0.5)));
}

double points_argument(draw_source *source, const dpn_law *law, const struct ref_family *family,
                       const double *parameter, double spread) {
    double t = magnitude(source, law, family, parameter, spread);
    if (family->integer && draw_chance(source, 0.85)) t = floor(t);
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

double points_tilt(draw_source *source, double bound, double spread) {
    double kind = draw_uniform(source, 0, 1);
    if (kind < 0.1) return draw_log_uniform(source, 1e-20, 1e-3) / spread;
    if (isinf(bound)) {
        double high = kind < 0.8 ? 1e3 : kind < 0.95 ? 1e9 : 1e200;
        return fmin(draw_log_uniform(source, 1e-3, high) / spread, 1e300);
    }
    if (kind < 0.3) return near(source, bound);
    if (kind < 0.6) return bound * (1 - draw_log_uniform(source, 1e-16, 1));
    return bound * draw_log_uniform(source, 1e-3, 1);
}
