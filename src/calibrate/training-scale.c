/* The least scale of noise for a training run. */
#include "calibrate/training-scale.h"

#include "base/error.h"
#include "calibrate/tuning.h"
#include "law/facts.h"

#include <math.h>

/* The scale is the least to this: by the contour sum, which takes a millisecond, and by the FFT. */
#define TOLERANCE_CONTOUR 1e-9
#define TOLERANCE_FFT 1e-4

/* Far from the least scale delta is asked for with this accuracy; and if near it none better than FINE is reached, which takes long to find out, with
 * ACCURACY_SEEN from then on, the scale being the least to TOLERANCE_SEEN. */
#define ACCURACY_FAR 0.05
#define NEAR 0.02
#define FINE 1e-5
#define ACCURACY_SEEN 1e-3
#define TOLERANCE_SEEN 1e-5
enum { MOST_ROUNDS = 200 };

/* No scale beyond e^600 sensitivities is tried. From an estimate the search goes in steps of CLOSE. */
#define LARGEST 600
#define CLOSE 2e-3

/* Of estimates: how delta falls with the scale where nothing is known yet, the slope that is none, the longest step, and when it is
 * enough, if the slope is known and if it is not: one more step is taken then. */
#define USUAL_SLOPE -12
#define SHALLOW -0.1
#define FAR_STEP 0.5
#define FLAT 0.05
#define LEVEL 1e-3
#define ENOUGH 1e-3

double dpn_scale_tolerance(bool by_contour) {
    return by_contour ? TOLERANCE_CONTOUR : TOLERANCE_FFT;
}

dpn_status dpn_scale_law(dpn_law *law, const dpn_scale_search *s, double log_scale, dpn_error *why) {
    double sensitivity = s->training->sensitivity;
    return dpn_family_tune(law, s->family, s->shape, exp(log_scale) * sensitivity, s->width * sensitivity, why);
}

/* The law with this scale and its delta. */
static dpn_status measure(dpn_law *law, dpn_delta *delta, const dpn_scale_search *s, double log_scale, double accuracy,
                          dpn_error *why) {
    if (s->training->cancelled && s->training->cancelled(s->training->context))
        return dpn_fail(why, DPN_ECANCELLED, "the search was cancelled");
    dpn_status status = dpn_scale_law(law, s, log_scale, why);
    return status ? status : dpn_run_delta(delta, NULL, law, s->epsilon, s->training, accuracy, s->workspace, why);
}

double dpn_scale_least(const dpn_scale_search *s) {
    dpn_law law;
    double low = log(s->width) - LARGEST, high = log(s->width);
    if (!s->family->stairs || dpn_scale_law(&law, s, high, NULL)) return -INFINITY;
    while (high - low > ENOUGH) *(dpn_scale_law(&law, s, 0.5 * (low + high), NULL) ? &low : &high) = 0.5 * (low + high);
    return high;
}

/* ---- certified ---- */

static dpn_status look(dpn_scale_search *s, double log_scale, dpn_error *why) {
    dpn_law law;
    dpn_delta delta;
    dpn_status status = measure(&law, &delta, s, log_scale, s->accuracy, why);
    if (status) return status;
    double spread = delta.log_upper - delta.log_lower;
    if (s->accuracy == 0 && spread > FINE && isfinite(spread)) s->accuracy = ACCURACY_SEEN;
    double height = delta.log_upper - s->log_target;
    if (height <= 0) {
        s->high = log_scale;
        s->high_height = height;
        s->law = law;
        s->delta = delta;
    } else {
        s->low = log_scale;
        s->low_height = height;
    }
    return DPN_OK;
}

static bool by_contour(const dpn_scale_search *s) {
    dpn_law unit;
    return !s->family->shape && !dpn_family_tune(&unit, s->family, 0, 1, 1, NULL) &&
           dpn_run_by_contour(&unit, s->training);
}

/* Narrower, to the tolerance. */
static dpn_status close_in(dpn_scale_search *s, double tolerance, dpn_error *why) {
    for (int i = 0; i < MOST_ROUNDS && s->high - s->low > tolerance; i++) {
        double middle = 0.5 * (s->low + s->high), chord = middle, margin = 0.4 * tolerance;
        if (isfinite(s->low_height) && isfinite(s->high_height) && i % 3 != 2)
            chord = s->low + (s->high - s->low) * (s->low_height / (s->low_height - s->high_height));
        dpn_status status = look(s, fmin(fmax(chord, s->low + margin), s->high - margin), why);
        if (status) return status;
        if (s->accuracy == ACCURACY_SEEN) tolerance = fmax(tolerance, TOLERANCE_SEEN);
    }
    return DPN_OK;
}

/* From x on in strides. */
static dpn_status bracket(dpn_scale_search *s, double x, double stride, dpn_error *why) {
    double least = dpn_scale_least(s);
    s->low = -INFINITY;
    s->high = INFINITY;
    x = fmax(x, least);
    for (int i = 0; i < MOST_ROUNDS && (isinf(s->low) || isinf(s->high)); i++, stride *= 1.5) {
        dpn_status status = look(s, x, why);
        if (status) return status;
        if (s->high == least) s->low = least;
        x = fmax(s->high <= x ? x - stride : x + stride, least);
        if (fabs(x) > LARGEST) return dpn_fail(why, DPN_EUNSUPPORTED, "no noise of the family gives the guarantee");
    }
    return DPN_OK;
}

/* A place to start: what one step needs for its share of delta, if that is less noise than the sensitivity. All steps need more, but not much if they are few and
 * rates small; there delta of noise as wide as the sensitivity may be so tiny that it takes seconds. */
static double first_scale(const dpn_scale_search *s) {
    const dpn_training *training = s->training;
    double rate = dpn_run_rate(training), epsilon = log1p(expm1(s->epsilon) / rate);
    double share = exp(s->log_target) / ((double)training->steps * rate), low = log(0.05), high = 0;
    for (int i = 0; i < 12; i++) {
        dpn_law law;
        dpn_delta delta;
        double middle = 0.5 * (low + high);
        if (dpn_family_tune(&law, s->family, 0, exp(middle), 1, NULL) ||
            dpn_profile_delta(&delta, &law, 1, epsilon, NULL))
            return 0;
        *(delta.upper > share ? &low : &high) = middle;
    }
    return high;
}

/* ---- estimated ---- */

/* The logarithm of delta, the middle of its bounds, over the target. */
static dpn_status estimate(double *height, const dpn_scale_search *s, double log_scale, double accuracy,
                           dpn_error *why) {
    dpn_law law;
    dpn_delta delta;
    dpn_status status = measure(&law, &delta, s, log_scale, accuracy, why);
    if (status) return status;
    double width = delta.log_upper - delta.log_lower;
    *height = delta.log_upper - (width < 1 ? 0.5 * width : 0) - s->log_target;
    return DPN_OK;
}

/* Secants, kept between what is known to be too little and too much. */
dpn_status dpn_scale_estimate(double *log_scale, dpn_scale_search *s, double accuracy, dpn_error *why) {
    double least = dpn_scale_least(s), x = fmax(*log_scale, least), low = -INFINITY, high = INFINITY, last = NAN,
           last_height = NAN;
    bool known = s->slope < 0;
    if (!known) s->slope = USUAL_SLOPE;
    for (int i = 0; i < MOST_ROUNDS; i++) {
        double height;
        dpn_status status = estimate(&height, s, x, accuracy, why);
        if (status) return status;
        double seen = (height - last_height) / (x - last);
        if (seen < SHALLOW && isfinite(seen)) {
            s->slope = seen;
            known = true;
        }
        *(height > 0 ? &low : &high) = x;
        last = x;
        last_height = height;
        x = fmax(x - fmin(fmax(height / s->slope, -FAR_STEP), FAR_STEP), least);
        if (high == least) {
            *log_scale = least;
            return DPN_OK;
        }
        if (!(x > low && x < high)) x = 0.5 * (low + high);
        if (fabs(height) < (known ? FLAT : LEVEL) || high - low < ENOUGH) {
            *log_scale = x;
            return DPN_OK;
        }
        if (!(fabs(x) < LARGEST)) break;
    }
    return dpn_fail(why, DPN_EUNSUPPORTED, "no noise of the family gives the guarantee");
}

/* ---- the search ---- */

dpn_status dpn_scale_usual_variance(double *variance, const dpn_scale_search *s, dpn_error *why) {
    dpn_scale_search gaussian = *s;
    dpn_law law;
    double log_scale = 0;
    gaussian.family = &dpn_gaussian;
    gaussian.slope = 0;
    dpn_status status = dpn_scale_estimate(&log_scale, &gaussian, ACCURACY_FAR, why);
    if (status == DPN_ECANCELLED || status == DPN_ENOMEM) return status;
    if (!status) status = dpn_scale_law(&law, &gaussian, log_scale, why);
    *variance = status ? s->training->sensitivity * s->training->sensitivity : dpn_law_variance(&law);
    return DPN_OK;
}

double dpn_scale_start(const dpn_scale_search *s, double shape, double variance) {
    double sensitivity = s->training->sensitivity;
    double scale = dpn_family_scale_of_variance(s->family, shape, s->width * sensitivity, variance, sqrt(variance));
    return scale > 0 ? log(scale / sensitivity) : 0;
}

dpn_status dpn_scale_find_near(dpn_scale_search *s, double log_scale, dpn_error *why) {
    s->accuracy = 0;
    dpn_status status = bracket(s, log_scale, CLOSE, why);
    return status ? status : close_in(s, dpn_scale_tolerance(by_contour(s)), why);
}

/* With less accuracy first; what that found not certified may be, and the other way round. */
static dpn_status find_by_contour(dpn_scale_search *s, dpn_error *why) {
    s->accuracy = ACCURACY_FAR;
    dpn_status status = bracket(s, first_scale(s), 1, why);
    if (!status) status = close_in(s, NEAR, why);
    if (status) return status;
    s->accuracy = 0;
    status = bracket(s, s->high - 0.5 * fmin(NEAR, s->high - s->low), 0.5 * NEAR, why);
    return status ? status : close_in(s, TOLERANCE_CONTOUR, why);
}

/* From an estimate; where there is none, from nothing. */
static dpn_status find_by_fft(dpn_scale_search *s, dpn_error *why) {
    double variance, log_scale;
    dpn_status status = dpn_scale_usual_variance(&variance, s, why);
    if (status) return status;
    log_scale = dpn_scale_start(s, s->shape, variance);
    status = dpn_scale_estimate(&log_scale, s, ACCURACY_FAR, why);
    if (!status) return dpn_scale_find_near(s, log_scale, why);
    if (status == DPN_ECANCELLED || status == DPN_ENOMEM) return status;
    s->accuracy = 0;
    status = bracket(s, 0, 1, why);
    return status ? status : close_in(s, TOLERANCE_FFT, why);
}

dpn_status dpn_scale_find(dpn_scale_search *s, dpn_error *why) {
    return by_contour(s) ? find_by_contour(s, why) : find_by_fft(s, why);
}
