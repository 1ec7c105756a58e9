/* The least error of all noise on the integers of two or three answers that move by at most 1 at once, pure, by linear programming, and that of the
 * best start staircase on the integers.
 *
 * Unknown are p(x), x in the orthant, 0 <= x_i < size_i: noise that is symmetric in each coordinate does no worse, since the error is linear in p and privacy
 * survives reflections and means. Of each pair of neighbours within the grid p(x) <= e^epsilon p(x + v), v in {-1, 0, 1}^K; at the edge of the grid nothing is asked, so that
 * the optimum is at most that of all noise on the integers that lives on the grid, and what is cut off costs e^-(epsilon size). Unknowns are scaled by e^(epsilon max x).
 */
#include "limit.h"

#include <coin/Clp_C_Interface.h>
#include <math.h>
#include <stdlib.h>

static void unpack(int x[3], const struct box_question *q, int index) {
    for (int i = 0; i < 3; i++) {
        x[i] = i < q->answers ? index % q->size[i] : 0;
        if (i < q->answers) index /= q->size[i];
    }
}

/* Of the reflected point; -1 beyond the grid. */
static int pack(const struct box_question *q, const int x[3]) {
    int index = 0;
    for (int i = q->answers - 1; i >= 0; i--) {
        if (abs(x[i]) >= q->size[i]) return -1;
        index = index * q->size[i] + abs(x[i]);
    }
    return index;
}

static int largest(const int x[3]) {
    int most = 0;
    for (int i = 0; i < 3; i++) most = abs(x[i]) > most ? abs(x[i]) : most;
    return most;
}

double limit_boxes(const struct box_question *q) {
    int points = 1, moves = q->answers == 2 ? 9 : 27, rows = 1, elements = 0;
    for (int i = 0; i < q->answers; i++) points *= q->size[i];
    size_t room = (size_t)points * (size_t)moves;
    double *lower = malloc((room + 1) * sizeof *lower), *upper = malloc((room + 1) * sizeof *upper),
           *cost = malloc((size_t)points * sizeof *cost),
           *element = malloc((2 * room + (size_t)points) * sizeof *element);
    int *start = malloc((room + 2) * sizeof *start), *column = malloc((2 * room + (size_t)points) * sizeof *column),
        *none = calloc((size_t)points + 1, sizeof *none);
    double value = NAN;
    Clp_Simplex *model = Clp_newModel();
    if (lower && upper && cost && element && start && column && none) {
        start[0] = 0;
        for (int at = 0; at < points; at++) { /* the sum is 1 */
            int x[3];
            unpack(x, q, at);
            double weight = exp(-q->epsilon * largest(x));
            for (int i = 0; i < q->answers; i++) weight *= x[i] ? 2 : 1;
            cost[at] = 0;
            for (int i = 0; i < q->answers; i++) cost[at] += weight * pow(q->bound[i] * x[i], 2);
            column[elements] = at;
            element[elements++] = weight;
        }
        lower[0] = upper[0] = 1;
        start[1] = elements;
        for (int at = 0; at < points; at++) {
            int x[3];
            unpack(x, q, at);
            for (int m = 0; m < moves; m++) {
                int y[3] = {x[0] + m % 3 - 1, x[1] + m / 3 % 3 - 1, x[2] + (q->answers == 3 ? m / 9 - 1 : 0)};
                int other = pack(q, y);
                if (other < 0 || other == at) continue;
                column[elements] = at;
                element[elements++] = 1;
                column[elements] = other;
                element[elements++] = -exp(q->epsilon * (1 + largest(x) - largest(y)));
                lower[rows] = -INFINITY;
                upper[rows] = 0;
                start[++rows] = elements;
            }
        }
        Clp_setLogLevel(model, 0);
        Clp_setPrimalTolerance(model, 1e-9);
        Clp_setDualTolerance(model, 1e-9);
        Clp_addColumns(model, points, NULL, NULL, cost, none, NULL, NULL);
        Clp_addRows(model, rows, lower, upper, start, column, element);
        Clp_initialSolve(model);
        if (Clp_status(model) == 0) value = Clp_objectiveValue(model);
    }
    Clp_deleteModel(model);
    free(lower);
    free(upper);
    free(cost);
    free(element);
    free(start);
    free(column);
    free(none);
    return value;
}

/* Uniform on the whole numbers from -(n_i + j) to n_i + j, j of a probability proportional to e^(-epsilon j) prod (2 (n_i + j) + 1): a uniform
 * variable there has the variance (n_i + j)(n_i + j + 1)/3. */
static double start_error(const struct box_question *q, const int n[3]) {
    double mass = 0, sum = 0;
    for (int j = 0; j < 60 / q->epsilon + 200; j++) {
        double weight = exp(-q->epsilon * j), given = 0;
        for (int i = 0; i < q->answers; i++) {
            double side = n[i] + j;
            weight *= 2 * side + 1;
            given += pow(q->bound[i], 2) * side * (side + 1) / 3;
        }
        mass += weight;
        sum += weight * given;
    }
    return sum / mass;
}

double limit_start(const struct box_question *q, int best[3]) {
    double least = INFINITY;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 12; b++)
            for (int c = 0; c < (q->answers == 3 ? 30 : 1); c++) {
                const int n[3] = {a, b, c};
                double error = start_error(q, n);
                if (!(error < least)) continue;
                least = error;
                for (int i = 0; i < 3; i++) best[i] = n[i];
            }
    return least;
}
