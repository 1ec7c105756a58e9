/* Newton's step with kinks: guess which coordinates are at kinks, solve for the others, and where the guess was wrong let coordinate
 * descent find a better one. Without kinks the first guess is right. */
#include "learn/newton.h"

#include "learn/algebra.h"

#include <math.h>
#include <string.h>

typedef struct guess {
    const dpn_newton_model *of;
    double *d, *work, *slope; /* slope: gradient + H d */
    dpn_newton_end *end;
} guess;

/* Which way l1 pulls at b + d: +-1. */
static double side(const guess *g, size_t j) {
    double at = g->of->b[j] + g->d[j];
    if (at != 0) return at > 0 ? 1 : -1;
    return g->slope[j] > 0 ? -1 : 1;
}

static void find_slope(const guess *g) {
    size_t m = g->of->m;
    for (size_t i = 0; i < m; i++) {
        g->slope[i] = g->of->gradient[i];
        for (size_t j = 0; j < m; j++) g->slope[i] += g->of->hessian[i * m + j] * g->d[j];
    }
}

/* Ends of the coordinates at b + d: at a kink if the slope there holds them. */
static void guess_ends(const guess *g) {
    const dpn_newton_model *of = g->of;
    for (size_t j = 0; j < of->m; j++) {
        double at = of->b[j] + g->d[j], slope = g->slope[j];
        g->end[j] = DPN_NEWTON_FREE;
        if (at >= of->box && slope + of->l1[j] <= 0) g->end[j] = DPN_NEWTON_TOP;
        if (at <= -of->box && slope - of->l1[j] >= 0) g->end[j] = DPN_NEWTON_BOTTOM;
        if (at == 0 && of->l1[j] > 0 && fabs(slope) <= of->l1[j]) g->end[j] = DPN_NEWTON_ZERO;
    }
}

static double place_of(const guess *g, size_t j) {
    switch (g->end[j]) {
    case DPN_NEWTON_ZERO:
        return -g->of->b[j];
    case DPN_NEWTON_TOP:
        return g->of->box - g->of->b[j];
    case DPN_NEWTON_BOTTOM:
        return -g->of->box - g->of->b[j];
    default:
        return 0;
    }
}

/* Solve for the free coordinates with the others where they end: *held tells whether that is the minimum of the model. False if
 * H is not positive. */
static bool solve(const guess *g, bool *held) {
    const dpn_newton_model *of = g->of;
    size_t m = of->m, f = 0;
    double *right = g->work + m * m, *pull = g->slope;
    for (size_t j = 0; j < m; j++) pull[j] = side(g, j);
    for (size_t j = 0; j < m; j++) g->d[j] = place_of(g, j);
    for (size_t i = 0; i < m; i++) {
        if (g->end[i] != DPN_NEWTON_FREE) continue;
        double sum = -of->gradient[i] - of->l1[i] * pull[i];
        size_t column = 0;
        for (size_t j = 0; j < m; j++)
            if (g->end[j] == DPN_NEWTON_FREE)
                g->work[f * m + column++] = of->hessian[i * m + j];
            else
                sum -= of->hessian[i * m + j] * g->d[j];
        right[f++] = sum;
    }
    dpn_algebra algebra;
    if (f > 0 && dpn_algebra_load(&algebra, NULL)) return false;
    if (f > 0 && algebra.dposv(LAPACK_COL_MAJOR, 'U', (int)f, 1, g->work, (int)m, right, (int)f) != 0) return false;
    *held = true;
    f = 0;
    for (size_t j = 0; j < m; j++) {
        if (g->end[j] != DPN_NEWTON_FREE) continue;
        double at = of->b[j] + right[f];
        if (!isfinite(at)) return false;
        if (fabs(at) > of->box || (of->l1[j] > 0 && at * pull[j] < 0)) *held = false;
        g->d[j] = fmin(fmax(at, -of->box), of->box) == at ? right[f] : copysign(of->box, at) - of->b[j];
        f++;
    }
    find_slope(g);
    for (size_t j = 0; j < m; j++) {
        if (g->end[j] == DPN_NEWTON_ZERO && fabs(g->slope[j]) > of->l1[j] * (1 + 1e-9)) *held = false;
        if (g->end[j] == DPN_NEWTON_TOP && g->slope[j] + of->l1[j] > 0) *held = false;
        if (g->end[j] == DPN_NEWTON_BOTTOM && g->slope[j] - of->l1[j] < 0) *held = false;
    }
    return true;
}

/* One pass of coordinate descent on the model, from d on; slope follows. */
static void descend(const guess *g) {
    const dpn_newton_model *of = g->of;
    size_t m = of->m;
    for (size_t j = 0; j < m; j++) {
        double curvature = of->hessian[j * m + j];
        if (!(curvature > 0)) continue;
        double aim = of->b[j] + g->d[j] - g->slope[j] / curvature, kink = of->l1[j] / curvature, next;
        if (fabs(aim) <= kink)
            next = -of->b[j];
        else
            next = g->d[j] - (g->slope[j] + copysign(of->l1[j], aim)) / curvature;
        if (of->b[j] + next > of->box) next = of->box - of->b[j];
        if (of->b[j] + next < -of->box) next = -of->box - of->b[j];
        double moved = next - g->d[j];
        g->d[j] = next;
        for (size_t i = 0; i < m && moved != 0; i++) g->slope[i] += of->hessian[i * m + j] * moved;
    }
}

bool dpn_newton_step(double *d, dpn_newton_end *end, const dpn_newton_model *model, double *work) {
    enum { ROUNDS = 40, PASSES = 10 };
    size_t m = model->m;
    guess g = {.of = model, .d = d, .work = work, .slope = work + m * m + m, .end = end};
    memset(d, 0, m * sizeof *d);
    memcpy(g.slope, model->gradient, m * sizeof *g.slope);
    for (int round = 0; round < ROUNDS; round++) {
        bool held = false;
        guess_ends(&g);
        if (!solve(&g, &held)) return false;
        if (held) return true;
        for (int pass = 0; pass < PASSES; pass++) descend(&g);
    }
    guess_ends(&g);
    for (size_t j = 0; j < m; j++)
        if (!isfinite(d[j])) return false;
    return true;
}
