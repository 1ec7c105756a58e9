/* The loss of a pair of staircases at the shift of one period P: log p(x)/p(x + P). With A < B the two ends, for x >= 0 it is
 *
 *     epsilon for x < A - P, where both fall by a level,
 *     epsilon + log(1 + p_A(x)/p_B(x)) for x < A and A - P <= x < B - P, where the first has ended,
 *     epsilon for A <= x < B - P,
 *     infinite for B - P <= x < B;
 *
 * in -P <= x < 0 it takes few values, and x < -P is the mirror image of x > 0: a loss L of the probability m stands there for -L of the probability m e^-L. */
#include "calibrate/stairs-pair.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define MASS_ERROR 3e-13 /* of a mass, relative: exponents below 700 are off by 1e-13 at most */
#define LOSS_ERROR (16 * DBL_EPSILON)

typedef struct list {
    dpn_stairs_atom *atom;
    size_t count;
} list;

static void add(list *to, double loss, bool exact, double mass) {
    if (!(mass > 0)) return;
    for (size_t i = 0; i < to->count; i++)
        if (to->atom[i].loss == loss && to->atom[i].exact == exact) {
            to->atom[i].mass += mass;
            return;
        }
    to->atom[to->count++] = (dpn_stairs_atom){loss, mass, exact};
}

static void add_both(list *to, double loss, bool exact, double mass) {
    add(to, loss, exact, mass);
    if (isfinite(loss)) add(to, -loss, exact, mass * exp(-loss));
}

static double both(const dpn_stairs_pair *pair, double a, double b) {
    return dpn_stairs_mass(pair, &pair->one[0], a, b) + dpn_stairs_mass(pair, &pair->one[1], a, b);
}

/* ---- x >= 0, and its mirror image ---- */

/* Where the first staircase has its last level at x and has ended at x + P: the second has one of two levels there. */
static void add_ended(list *to, const dpn_stairs_pair *pair, double from, double end) {
    const dpn_stairs_one *low = &pair->one[0], *high = &pair->one[1];
    double first = dpn_stairs_level(pair, high, from);
    for (double level = first, a = from; a < end; level++) {
        double b = fmin(end, high->first + level * pair->period);
        double ratio = low->height / high->height * exp(pair->epsilon * (level - low->last));
        double mass = high->height * exp(-pair->epsilon * level) * (1 + ratio) * (b - a);
        add_both(to, pair->epsilon + log1p(ratio), false, mass); /* never exact: a small ratio leaves epsilon */
        a = b;
    }
}

static void add_outside(list *to, const dpn_stairs_pair *pair) {
    double period = pair->period, high = pair->one[1].end, low = pair->one[0].share > 0 ? pair->one[0].end : 0;
    add_both(to, pair->epsilon, true, both(pair, 0, low - period));
    add_ended(to, pair, fmax(0, low - period), fmin(low, high - period));
    add_both(to, pair->epsilon, true, both(pair, low, high - period));
    if (isfinite(high)) add(to, INFINITY, true, both(pair, fmax(0, high - period), high));
}

/* ---- -P <= x < 0 ---- */

static int ascending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The loss between the levels at |x| and at |x + P|. If both rise by the same number of levels, that is the loss, exactly. */
static double central_loss(bool *exact, const dpn_stairs_pair *pair, double x) {
    double sum[2] = {0, 0}, rise[2] = {NAN, NAN};
    for (int i = 0; i < 2; i++) {
        const dpn_stairs_one *one = &pair->one[i];
        double here = dpn_stairs_level(pair, one, fabs(x)), there = dpn_stairs_level(pair, one, fabs(x + pair->period));
        if (one->share == 0) continue;
        if (here >= 0) sum[0] += one->height * exp(-pair->epsilon * here);
        if (there >= 0) sum[1] += one->height * exp(-pair->epsilon * there);
        if (here >= 0 || there >= 0) rise[i] = here < 0 || there < 0 ? INFINITY : there - here;
    }
    *exact = true;
    if (sum[1] == 0) return INFINITY;
    double one = isnan(rise[0]) ? rise[1] : rise[0], other = isnan(rise[1]) ? rise[0] : rise[1];
    *exact = one == other && isfinite(one);
    return *exact ? one * pair->epsilon : log(sum[0] / sum[1]);
}

static void add_centre(list *to, const dpn_stairs_pair *pair) {
    double period = pair->period, cut[10] = {-period, 0};
    size_t cuts = 2;
    for (int i = 0; i < 2; i++) {
        const double at[] = {pair->one[i].first, pair->one[i].end};
        for (int j = 0; j < 2 && pair->one[i].share > 0; j++)
            if (at[j] < period) {
                cut[cuts++] = -at[j];
                cut[cuts++] = at[j] - period;
            }
    }
    qsort(cut, cuts, sizeof *cut, ascending);
    for (size_t i = 1; i < cuts; i++) {
        double mass = both(pair, -cut[i], -cut[i - 1]);
        if (!(mass > 0)) continue;
        bool exact;
        double loss = central_loss(&exact, pair, 0.5 * (cut[i - 1] + cut[i]));
        add(to, loss, exact, mass);
    }
}

/* ---- all ---- */

static int by_loss(const void *x, const void *y) {
    const dpn_stairs_atom *a = x, *b = y;
    return (a->loss > b->loss) - (a->loss < b->loss);
}

size_t dpn_stairs_losses(dpn_stairs_atom atom[DPN_STAIRS_ATOMS], const dpn_stairs_pair *pair) {
    list all = {atom, 0};
    add_outside(&all, pair);
    add_centre(&all, pair);
    qsort(atom, all.count, sizeof *atom, by_loss);
    return all.count;
}

/* Those that rounding has touched go up by what it may be. Their order may change with that. */
static void raise_losses(dpn_stairs_atom *atom, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!atom[i].exact) atom[i].loss += LOSS_ERROR * (1 + fabs(atom[i].loss));
    qsort(atom, count, sizeof *atom, by_loss);
}

/* Those above the heaviest get more, those below it less, and it itself what is left: P(L > v) grows for every v. */
static void raise_masses(dpn_stairs_atom *atom, size_t count) {
    size_t giver = 0;
    double rest = 1;
    for (size_t i = 0; i < count; i++)
        if (atom[i].mass > atom[giver].mass) giver = i;
    for (size_t i = 0; i < count; i++) {
        if (i == giver) continue;
        atom[i].mass *= i > giver ? 1 + MASS_ERROR : 1 - MASS_ERROR;
        rest -= atom[i].mass;
    }
    atom[giver].mass = rest;
}

size_t dpn_stairs_losses_upper(dpn_stairs_atom atom[DPN_STAIRS_ATOMS], const dpn_stairs_pair *pair) {
    size_t count = dpn_stairs_losses(atom, pair), kept = 0;
    raise_losses(atom, count);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && atom[kept - 1].loss == atom[i].loss)
            atom[kept - 1].mass += atom[i].mass;
        else
            atom[kept++] = atom[i];
    }
    raise_masses(atom, kept);
    return kept;
}

double dpn_stairs_delta_lower(const dpn_stairs_pair *pair, double epsilon) {
    dpn_stairs_atom atom[DPN_STAIRS_ATOMS];
    size_t count = dpn_stairs_losses(atom, pair);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double excess = atom[i].loss - epsilon;
        if (isfinite(excess)) excess -= LOSS_ERROR * (1 + fabs(atom[i].loss) + fabs(epsilon));
        if (excess > 0) sum -= atom[i].mass * expm1(-excess);
    }
    return sum * (1 - 2 * MASS_ERROR);
}
