/* The double-exponential rule: the trapezoidal rule in t after x = width/(1 + exp(-pi sinh t)). */
#include "law/tanh-sinh.h"

#include <math.h>

#define PI 3.141592653589793238462643383279502884
#define REACH 3.25 /* the weights beyond add up to less than 1e-17 */
#define AGREEMENT 1e-13
#define LEVELS 6

typedef struct integrand {
    double (*f)(const void *context, double x);
    const void *context;
    double width;
} integrand;

/* The integrand in t. */
static double at(const integrand *g, double t) {
    double e = exp(t), fall = exp(-0.5 * PI * (e - 1 / e)), part = 1 / (1 + fall);
    double weight = 0.5 * PI * (e + 1 / e) * fall * part * part;
    return weight * g->f(g->context, g->width * part);
}

/* The sum over t = from, from + step, ... up to REACH. */
static double sum_from(const integrand *g, double from, double step) {
    double sum = 0;
    for (double t = from; t <= REACH; t += step) sum += at(g, t);
    return sum;
}

/* Halving the step squares the error. Two sums that agree to AGREEMENT may do so by luck, but then the error of the
 * finer one is still the square of something small. */
double dpn_integrate(double (*f)(const void *context, double x), const void *context, double width) {
    integrand g = {f, context, width};
    double step = 0.25, sum = sum_from(&g, -REACH, step) * step;
    for (int level = 0; level < LEVELS; level++) {
        double finer = 0.5 * (sum + sum_from(&g, -REACH + 0.5 * step, step) * step);
        double change = fabs(finer - sum);
        sum = finer;
        step *= 0.5;
        if (change <= AGREEMENT * sum) break;
    }
    return width * sum;
}
