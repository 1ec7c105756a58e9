/* The worst direction of a move in an l2 ball: branch and bound over cones (docs/proofs/privacy/ball.md, section 3).
 *
 * A cone is spanned by as many unit vectors u_i as there are dimensions. With n the solution of n.u_i = 1, what the ball of
 * radius r has in the cone lies in the simplex of 0 and the |n| r u_i. A quasi-convex quantity is largest at one of these. The
 * first cone is x_1 >= x_2 >= ... >= 0; the one with the largest bound is looked at, or cut through its longest edge.
 */
#include "privacy/ball/directions.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = DPN_DIRECTIONS_MOST, MOST_CONES = 512 };

typedef struct cone {
    double side[MOST][MOST]; /* unit vectors */
    double upper;            /* of the quantity; that of the cone it was cut from until it was looked at */
    bool seen;
} cone;

typedef struct search {
    size_t dimension;
    double radius;
    dpn_direction_value *value;
    void *context;
    double lower; /* the largest seen within the ball */
    int looks;    /* that are left */
    cone cone[MOST_CONES];
    size_t cones;
} search;

/* ---- a cone ---- */

static cone first_cone(size_t dimension) {
    cone out = {.upper = INFINITY};
    for (size_t i = 0; i < dimension; i++)
        for (size_t j = 0; j <= i; j++) out.side[i][j] = 1 / sqrt((double)(i + 1));
    return out;
}

/* |n|, by elimination with pivots. A cone is cut before it is so thin that this loses more than a few digits. */
static double stretch(const cone *c, size_t dimension) {
    double row[MOST][MOST + 1], square = 0, n[MOST];
    for (size_t i = 0; i < dimension; i++) {
        memcpy(row[i], c->side[i], dimension * sizeof **row);
        row[i][dimension] = 1;
    }
    for (size_t k = 0; k < dimension; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < dimension; i++)
            if (fabs(row[i][k]) > fabs(row[pivot][k])) pivot = i;
        for (size_t j = 0; j <= dimension; j++) {
            double swap = row[k][j];
            row[k][j] = row[pivot][j];
            row[pivot][j] = swap;
        }
        for (size_t i = k + 1; i < dimension; i++) {
            double factor = row[i][k] / row[k][k];
            for (size_t j = k; j <= dimension; j++) row[i][j] -= factor * row[k][j];
        }
    }
    for (size_t k = dimension; k-- > 0;) {
        n[k] = row[k][dimension];
        for (size_t j = k + 1; j < dimension; j++) n[k] -= row[k][j] * n[j];
        n[k] /= row[k][k];
        square += n[k] * n[k];
    }
    return sqrt(square) * (1 + 1e-9);
}

/* The ends of the longest edge. */
static void longest_edge(size_t *from, size_t *to, const cone *c, size_t dimension) {
    double least = INFINITY; /* the least cosine */
    for (size_t i = 0; i < dimension; i++)
        for (size_t j = 0; j < i; j++) {
            double cosine = 0;
            for (size_t k = 0; k < dimension; k++) cosine += c->side[i][k] * c->side[j][k];
            if (cosine >= least) continue;
            least = cosine;
            *from = i;
            *to = j;
        }
}

/* ---- the search ---- */

static dpn_status look(search *s, double *upper, const double *side, double length, bool inside, dpn_error *why) {
    double move[MOST], low;
    for (size_t k = 0; k < s->dimension; k++) move[k] = side[k] * length;
    dpn_status status = s->value(&low, upper, move, s->dimension, s->context, why);
    if (!status && inside) s->lower = fmax(s->lower, low);
    s->looks--;
    return status;
}

static dpn_status look_at_cone(search *s, cone *c, dpn_error *why) {
    double length = s->radius * stretch(c, s->dimension), most = -INFINITY;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < s->dimension && !status; i++) {
        double upper = INFINITY;
        status = look(s, &upper, c->side[i], length, false, why);
        most = fmax(most, upper);
    }
    if (!status) c->upper = fmin(c->upper, most);
    c->seen = true;
    return status;
}

/* Two cones for one; the value in the new direction is reached within the ball. */
static dpn_status cut(search *s, cone *c, dpn_error *why) {
    size_t from = 0, to = 0;
    double middle[MOST] = {0}, square = 0, upper;
    longest_edge(&from, &to, c, s->dimension);
    for (size_t k = 0; k < s->dimension; k++) {
        middle[k] = c->side[from][k] + c->side[to][k];
        square += middle[k] * middle[k];
    }
    for (size_t k = 0; k < s->dimension; k++) middle[k] /= sqrt(square);
    c->seen = false;
    cone *other = &s->cone[s->cones++];
    *other = *c;
    memcpy(c->side[from], middle, sizeof middle);
    memcpy(other->side[to], middle, sizeof middle);
    return look(s, &upper, middle, s->radius * (1 - 1e-12), true, why);
}

static cone *worst(search *s) {
    cone *most = &s->cone[0];
    for (size_t i = 1; i < s->cones; i++)
        if (s->cone[i].upper > most->upper) most = &s->cone[i];
    return most;
}

dpn_status dpn_directions(double *lower, double *upper, size_t dimension, double radius, dpn_direction_value *value,
                          void *context, double close, int looks, dpn_error *why) {
    search s = {.dimension = dimension,
                .radius = radius,
                .value = value,
                .context = context,
                .lower = -INFINITY,
                .looks = looks,
                .cones = 1};
    s.cone[0] = first_cone(dimension);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < dimension && !status; i++) {
        double ignored;
        status = look(&s, &ignored, s.cone[0].side[i], radius * (1 - 1e-12), true, why);
    }
    while (!status) {
        cone *most = worst(&s);
        bool enough = most->upper - s.lower <= close || s.looks <= 0 || s.cones == MOST_CONES;
        if (enough && most->seen) break;
        if (enough && isfinite(most->upper)) break; /* the bound of the cone that it was cut from */
        status = most->seen ? cut(&s, most, why) : look_at_cone(&s, most, why);
    }
    if (status) return status;
    *upper = worst(&s)->upper;
    *lower = fmin(s.lower, *upper);
    return DPN_OK;
}
