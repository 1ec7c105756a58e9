/* What spherical noise, of the density proportional to exp(-alpha |x| - beta |x|^2/2), gains over K-norm noise of the l2 ball (beta = 0) and Gaussian noise (alpha = 0), for answers that one unit
 * moves by at most 1 in the l2 norm: the variance of each answer, all three calibrated and certified by the library. Beside them the noise of the density proportional to exp(-(|x|/s)^q) with the best q,
 * which nothing certifies: its delta is a quadrature of the definition,
 *
 *     delta = E[(1 - e^(eps - L))_+],   L = (|x - e|/s)^q - (|x|/s)^q,
 *
 * over r = |x|, of which (r/s)^q is Gamma(K/q), and u = the cosine of the angle between x and the move e, of the density proportional to (1 - u^2)^((K-3)/2).
 *
 * usage: bench-spherical
 */
#include <dpnoise/calibrate.h>
#include <math.h>
#include <stdio.h>

enum { NODES = 16, RADII = 20, PARTS = 4 };

static double node[NODES], weight[NODES];

/* Gauss-Legendre on (0, 1), by Newton's steps. */
static void fill_rule(void) {
    for (int i = 0; i < NODES; i++) {
        double x = cos(acos(-1) * (i + 0.75) / (NODES + 0.5)), slope = 1;
        for (int round = 0; round < 50; round++) {
            double before = 1, here = x;
            for (int k = 2; k <= NODES; k++) {
                double next = ((2 * k - 1) * x * here - (k - 1) * before) / k;
                before = here;
                here = next;
            }
            slope = NODES * (x * here - before) / (x * x - 1);
            x -= here / slope;
        }
        node[i] = 0.5 * (1 - x);
        weight[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

/* The integral over u at the radius r, from -1 to where the loss falls below eps, most nodes near the latter. */
static double over_angle(double k, double q, double s, double r, double eps) {
    double power = pow(r / s, q), far = s * pow(power + eps, 1 / q), top = (r * r + 1 - far * far) / (2 * r), sum = 0;
    if (top > 1) top = 1;
    for (int part = 0; part < PARTS && top > -1; part++) {
        double a = top - (top + 1) * pow((double)(PARTS - part) / PARTS, 2),
               b = top - (top + 1) * pow((double)(PARTS - part - 1) / PARTS, 2);
        for (int i = 0; i < NODES; i++) {
            double u = a + (b - a) * node[i], loss = pow(sqrt(fmax(0, r * r - 2 * r * u + 1)) / s, q) - power;
            if (loss > eps) sum -= (b - a) * weight[i] * pow(fmax(0, 1 - u * u), 0.5 * (k - 3)) * expm1(eps - loss);
        }
    }
    return sum;
}

static double delta(double k, double q, double s, double eps) {
    double shape = k / q, spread = 12 * sqrt(shape), sum = 0;
    double low = s * pow(fmax(0, shape - spread), 1 / q), high = s * pow(shape + spread + 40, 1 / q);
    double log_c = log(q) - k * log(s) - lgamma(shape) + lgamma(0.5 * k) - 0.5 * log(acos(-1)) - lgamma(0.5 * (k - 1));
    for (int panel = 0; panel < RADII; panel++)
        for (int i = 0; i < NODES; i++) {
            double width = (high - low) / RADII, r = low + width * (panel + node[i]);
            double mass = exp(log_c + (k - 1) * log(r) - pow(r / s, q));
            if (mass > 0) sum += width * weight[i] * mass * over_angle(k, q, s, r, eps);
        }
    return sum;
}

/* The variance of an answer at the least scale. */
static double least(double k, double q, double eps, double most) {
    double unit = exp(0.5 * (log(k) + lgamma(k / q) - lgamma((k + 2) / q))), low = log(0.05), high = log(3e3);
    while (high - low > 1e-7) {
        double middle = 0.5 * (low + high);
        *(delta(k, q, unit * exp(middle), eps) > most ? &low : &high) = middle;
    }
    return exp(2 * high);
}

/* The variance of an answer with noise of a family. */
static double calibrated(const char *family, double eps, double most, double k) {
    dpn_sensitivity set = {.dimension = (size_t)k, .l2 = 1};
    dpn_plan plan;
    if (dpn_calibrate(&plan, family, eps, most, &set, NULL, NULL)) return NAN;
    double variance = plan.variance[0];
    dpn_plan_free(&plan);
    return variance;
}

static void row(double eps, double most, double k) {
    const double golden = 0.6180339887498949;
    double one = calibrated("k-norm", eps, most, k), two = calibrated("gaussian", eps, most, k),
           both = calibrated("spherical", eps, most, k), a = 0.7, b = 2.2;
    double x = b - golden * (b - a), y = a + golden * (b - a), at_x = least(k, x, eps, most),
           at_y = least(k, y, eps, most);
    for (int round = 0; round < 10; round++) {
        if (at_x < at_y)
            b = y, y = x, at_y = at_x, x = b - golden * (b - a), at_x = least(k, x, eps, most);
        else
            a = x, x = y, at_x = at_y, y = a + golden * (b - a), at_y = least(k, y, eps, most);
    }
    double best = fmin(at_x, at_y);
    printf("| %g | %g | %g | %.5g | %.5g | %.5g | %.2f%% | %.5g | %.2f |\n", eps, most, k, two, one, both,
           100 * (1 - both / fmin(one, two)), best, at_x < at_y ? x : y);
    fflush(stdout);
}

int main(void) {
    static const double epsilon[] = {0.3, 1, 3}, deltas[] = {1e-2, 1e-3, 1e-6}, dimension[] = {5, 20, 100};
    fill_rule();
    puts("| epsilon | delta | K | Gaussian | l2 K-norm | spherical | gain | best q | q "
         "|\n|---|---|---|---|---|---|---|---|---|");
    for (int e = 0; e < 3; e++)
        for (int d = 0; d < 3; d++)
            for (int k = 0; k < 3; k++) row(epsilon[e], deltas[d], dimension[k]);
    return 0;
}
