/* Losses of continuous laws on a grid, convolved term by term. */
#include "slow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Masses at (first + i) step. */
typedef struct row {
    long first;
    size_t count;
    double step;
    long double *mass;
} row;

static row new_row(long first, size_t count, double step) {
    row r = {first, count, step, calloc(count, sizeof *r.mass)};
    if (!r.mass) abort();
    return r;
}

/* ---- one loss ---- */

static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

static double loss_at(const dpn_loss *loss, double t) {
    return dpn_privacy_loss(&loss->law, loss->sensitivity, t);
}

/* The mass of the noise in [a, b], whose loss lies in the cell j, goes to both ends of the cell; P-mass and Q-mass stay. */
static void spread(row *r, const dpn_loss *loss, long j, double a, double b) {
    double centre = 0.5 * (a + b), half = 0.5 * (b - a);
    long double up = 0, all = 0;
    for (int i = 0; i < 8; i++) {
        double t = centre + (i < 4 ? -half : half) * node[i % 4];
        long double mass = half * weight[i % 4] * expl(dpn_law_log_pdf(&loss->law, t));
        double above = fmin(fmax(loss_at(loss, t) - (double)j * r->step, 0), r->step);
        all += mass;
        up += mass * (expm1l(-above) / expm1l(-r->step));
    }
    r->mass[j - r->first] += all - up;
    r->mass[j - r->first + 1] += up;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The points where psi(t) or psi(t + D) bends. */
static size_t bends(double *out, const dpn_loss *loss) {
    double bend = dpn_law_parameter(&loss->law, "alpha");
    size_t count = 0;
    for (int sign = -1; sign <= 1; sign++) {
        if (sign != 0 && isnan(bend)) continue;
        double at = sign == 0 ? 0 : sign * bend;
        out[count++] = at;
        out[count++] = at - loss->sensitivity;
    }
    return count;
}

enum { PIECES = 100, MOST_CELLS = 1000 };

/* All noise but two tails of the probability `tail`. Subbotin's loss has a density that is not smooth at the loss of
 * the noise 0: cells beside its bends are cut further. */
static row loss_on_grid(const dpn_loss *loss, double step, double tail) {
    double high = dpn_law_isf(&loss->law, tail), low = -high - loss->sensitivity;
    long first = (long)floor(loss_at(loss, low) / step - 1e-9), last = (long)ceil(loss_at(loss, high) / step + 1e-9);
    row r = new_row(first, (size_t)(last - first) + 2, step);
    double *cut = malloc(((size_t)(last - first) + 256 + PIECES) * sizeof *cut);
    if (!cut) abort();
    size_t count = 0, found = 0, corners = bends(cut, loss);
    for (size_t i = 0; i < corners; i++)
        for (int k = -16; k <= 16; k++) cut[corners + found++] = cut[i] + k * abs(k) * loss->sensitivity / 2560;
    count = corners + found;
    for (long j = first; j <= last; j++)
        cut[count++] =
            dpn_privacy_loss_centred_inverse(&loss->law, loss->sensitivity, (double)j * step) - 0.5 * loss->sensitivity;
    for (int i = 0; i <= PIECES; i++) cut[count++] = low + (high - low) * i / PIECES; /* level stretches are long */
    qsort(cut, count, sizeof *cut, ascending);
    for (size_t i = 1; i < count; i++) {
        double a = cut[i - 1], b = cut[i];
        if (!(a >= low && b <= high && b > a)) continue;
        /* The middle's loss names the cell; a level stretch may lie on a grid point, up to rounding. */
        double cell = loss_at(loss, 0.5 * (a + b)) / step;
        if (fabs(cell - round(cell)) < 1e-9 * (1 + fabs(cell))) cell = round(cell);
        spread(&r, loss, (long)fmin(fmax(floor(cell), (double)first), (double)last), a, b);
    }
    free(cut);
    return r;
}

/* ---- sums ---- */

static row convolve(const row *a, const row *b) {
    row sum = new_row(a->first + b->first, a->count + b->count - 1, a->step);
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) sum.mass[i + j] += a->mass[i] * b->mass[j];
    return sum;
}

/* delta of the last loss alone. */
static double profile(const dpn_loss *loss, double epsilon) {
    dpn_delta delta;
    if (dpn_profile_delta(&delta, &loss->law, loss->sensitivity, epsilon, NULL) != DPN_OK) return 0;
    return exp(0.5 * (delta.log_lower + delta.log_upper));
}

static long double sum_on_grid(const dpn_part *part, size_t parts, size_t kept, double epsilon, double step,
                               double tail) {
    row sum = new_row(0, 1, step);
    sum.mass[0] = 1;
    for (size_t i = 0; i < parts; i++) {
        row one = loss_on_grid(&part[i].loss, step, tail);
        for (uint64_t n = i == kept ? 1 : 0; n < part[i].times; n++) {
            row next = convolve(&sum, &one);
            free(sum.mass);
            sum = next;
        }
        free(one.mass);
    }
    long double delta = 0;
    for (size_t i = 0; i < sum.count; i++)
        if (sum.mass[i] > 0)
            delta += sum.mass[i] * profile(&part[kept].loss, epsilon - (double)(sum.first + (long)i) * step);
    free(sum.mass);
    return delta;
}

/* A level stretch of the loss (flipped Huber inside alpha, Huber outside) must lie on the grid. */
static double atom_of(const dpn_loss *loss) {
    double alpha = dpn_law_parameter(&loss->law, "alpha"), shift = loss->sensitivity;
    const char *family = dpn_law_family(&loss->law);
    if (!strcmp(family, "flipped-huber") && alpha > shift) return loss_at(loss, 0.5 * (alpha - shift));
    return strcmp(family, "huber") ? 0 : loss_at(loss, 2 * alpha);
}

slow_delta slow_grid(const dpn_part *part, size_t parts, double epsilon, double log_size, int cells) {
    double times = 0, widest = 0, atom = 0;
    size_t kept = 0; /* a part without atoms, if there is one */
    for (size_t i = 0; i < parts; i++) times += (double)part[i].times;
    double tail = fmax(exp(log_size) * 1e-7 / times, 1e-290);
    for (size_t i = 0; i < parts; i++) {
        widest = fmax(widest, 2 * loss_at(&part[i].loss, dpn_law_isf(&part[i].loss.law, tail)));
        atom = fmax(atom, atom_of(&part[i].loss));
        if (atom_of(&part[i].loss) == 0) kept = i;
    }
    for (;; cells *= 2) {
        double step = widest / cells;
        if (atom > 0) step = 0.5 * atom / ceil(0.5 * atom / step);
        long double fine = sum_on_grid(part, parts, kept, epsilon, step, tail);
        long double excess = sum_on_grid(part, parts, kept, epsilon, 2 * step, tail) - fine;
        if (excess > 0.1L * fine && cells < MOST_CELLS) continue;
        long double lower = fine - excess - 1e-9L * fine, upper = fine * (1 + 1e-9L) + 2 * times * tail;
        return (slow_delta){(double)logl(fmaxl(0, lower)), (double)logl(upper)};
    }
}
