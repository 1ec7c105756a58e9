/* The hull of the moves of linear regression with one predictor, from outside. docs/proofs/geometry/draws.md
 *
 * A record (x, y) adds (x, y, 2 x^2, x y) to the answers, and replacing it moves them by C - C, C the hull of these. The
 * vector is linear in y, so that C is the hull of two arcs, y = 1 and y = -1, each a linear image of the parabola (x, 2
 * x^2), -1 <= x <= 1. The tangents of the parabola at -1 = t_0 < ... < t_n = 1 bound a polygon that contains it, with the
 * vertices (-1, 2), ((t_i + t_(i+1))/2, 2 t_i t_(i+1)) and (1, 2). The hull of the differences of the images of these
 * contains all moves. With n a power of two they are exact doubles.
 */
#include <stdlib.h>

#include "base/error.h"
#include "geometry/ball.h"

enum { DIMENSION = 4, MOST_PIECES = 16, MOST_POINTS = 2 * (MOST_PIECES + 2) };

static size_t list_points(double point[MOST_POINTS][DIMENSION], size_t pieces) {
    size_t count = 0;
    for (size_t i = 0; i < pieces + 2; i++) {
        double width = 2 / (double)pieces, left = -1 + width * ((double)i - 1), right = left + width;
        double a = i == 0 ? -1 : i == pieces + 1 ? 1 : (left + right) / 2;
        double b = i == 0 || i == pieces + 1 ? 2 : 2 * left * right;
        for (int y = -1; y <= 1; y += 2, count++) {
            point[count][0] = a;
            point[count][1] = y;
            point[count][2] = b;
            point[count][3] = y * a;
        }
    }
    return count;
}

dpn_status dpn_ball_regression_hull(dpn_norm_ball **out, size_t pieces, dpn_error *why) {
    if (pieces < 1 || pieces > MOST_PIECES || (pieces & (pieces - 1)))
        return dpn_fail(why, DPN_EDOMAIN, "the parabola has 1, 2, 4, 8 or 16 pieces");
    double point[MOST_POINTS][DIMENSION];
    size_t count = list_points(point, pieces), moves = 0;
    double *move = malloc(count * count * DIMENSION * sizeof *move);
    if (move == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a hull");
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++, moves++)
            for (size_t k = 0; k < DIMENSION; k++) move[moves * DIMENSION + k] = point[i][k] - point[j][k];
    dpn_status status = dpn_ball_hull(out, DIMENSION, move, moves, why);
    free(move);
    return status;
}
