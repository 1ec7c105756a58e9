/* How unequal sensitivities are: Gini coefficient and majorisation (INID). */
#include "base/error.h"

#include <dpnoise/design.h>

#include <math.h>
#include <stdlib.h>

static int descending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* A sorted copy, the largest first and 1. */
static dpn_status sorted(double **out, const double *a, size_t count, dpn_error *why) {
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(a[i] >= 0 && isfinite(a[i])))
            return dpn_fail(why, DPN_EDOMAIN, "sensitivities must be finite and not negative");
        largest = fmax(largest, a[i]);
    }
    if (!(largest > 0)) return dpn_fail(why, DPN_EDOMAIN, "some sensitivity must be positive");
    *out = malloc(count * sizeof **out);
    if (!*out) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) (*out)[i] = a[i] / largest;
    qsort(*out, count, sizeof **out, descending);
    return DPN_OK;
}

dpn_status dpn_inequality_of(dpn_inequality *out, const double *sensitivity, size_t count, dpn_error *why) {
    double *a, sum = 0, squares = 0, spread = 0, k = (double)count;
    dpn_status status = sorted(&a, sensitivity, count, why);
    if (status) return status;
    /* Of the i-th largest, counted from 0, K - 1 - i others are not larger and i not smaller. */
    for (size_t i = 0; i < count; i++) {
        spread += (k - 1 - 2 * (double)i) * a[i];
        sum += a[i];
        squares += a[i] * a[i];
    }
    free(a);
    *out = (dpn_inequality){.gini = fmax(spread / (k * sum), 0), .gain = fmax(k * (squares / sum / sum), 1)};
    return DPN_OK;
}

static double sum_of_squares(const double *a, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * a[i];
    return sum;
}

dpn_status dpn_majorises(bool *out, const double *first, const double *second, size_t count, dpn_error *why) {
    double *a = NULL, *b = NULL;
    dpn_status status = sorted(&a, first, count, why);
    if (!status) status = sorted(&b, second, count, why);
    if (!status) {
        double all_a = sum_of_squares(a, count), all_b = sum_of_squares(b, count), part_a = 0, part_b = 0;
        bool above = true;
        for (size_t i = 0; i < count; i++) {
            part_a += a[i] * a[i] / all_a;
            part_b += b[i] * b[i] / all_b;
            above = above && part_a >= part_b * (1 - 1e-12);
        }
        *out = above;
    }
    free(a);
    free(b);
    return status;
}
