/* The linear program, solved by Clp.
 *
 * Unknown are p(0..last), the probabilities of k and -k alike; beyond, the noise goes on as p(k + D) = e^-epsilon p(k), which
 * costs no delta at the shift D and leaves no edge where the grid ends. (With p = 0 in the last D points it ends before.) Clp
 * works with absolute tolerances, and p falls by many orders of magnitude: its unknowns are q(k) = p(k) e^(epsilon k/D)/p0, and
 * what each point contributes to delta is counted in units of delta.
 *
 * Of each shift s the points k <= -s/2 are left out, where a law that falls off to both sides loses nothing. What Clp found is
 * therefore summed anew over all points.
 */
#include "limit.h"

#include <coin/Clp_C_Interface.h>
#include <math.h>
#include <stdlib.h>

struct program {
    const struct question *question;
    int last;                    /* index of the last free probability */
    int rows, columns, elements; /* filled so far */
    double decay, growth, unit;  /* e^(-epsilon/D), e^epsilon, p0 */
    double *p;                   /* p(0..last) of the solution */
    double *row_upper, *objective, *element;
    int *row_start, *column;
};

static void put(struct program *program, int column, double element) {
    program->column[program->elements] = column;
    program->element[program->elements++] = element;
}

static void end_row(struct program *program, double upper) {
    program->row_upper[program->rows++] = upper;
    program->row_start[program->rows] = program->elements;
}

/* The point in 0..last that stands for a point beyond; q is the same there. */
static int fold(const struct program *program, int k) {
    int steps = program->question->steps;
    k = abs(k);
    return k <= program->last ? k : program->last - steps + 1 + (k - program->last - 1) % steps;
}

/* The sums of 1 and of k^2, each with weight p/p(k), over k, -k and, for the last D points, all that they stand for. */
static void weigh(const struct program *program, int k, double *mass, double *square) {
    double steps = program->question->steps, x = k / steps, b = 1 / program->growth, pair = k ? 2 : 1;
    *mass = pair;
    *square = pair * x * x;
    if (k <= program->last - program->question->steps) return;
    /* sum of b^j, j b^j, j^2 b^j */
    double s0 = 1 / (1 - b), s1 = b * s0 * s0, s2 = b * (1 + b) * s0 * s0 * s0;
    *mass = pair * s0;
    *square = pair * (x * x * s0 + 2 * x * s1 + s2);
}

static double size_at(const struct program *program, int k) {
    return program->unit * pow(program->decay, k);
}

/* The rows of the shift s: p(k) - e^epsilon p(k + s) is at most the share of k, the shares sum to at most delta. */
static void add_shift(struct program *program, int s) {
    const struct question *question = program->question;
    int first = -((s - 1) / 2), share = program->columns;
    int end = s == question->steps ? program->last - s : program->last;
    for (int k = first; k <= end; k++) {
        int near = fold(program, k), far = fold(program, k + s);
        double rise = program->growth * pow(program->decay, abs(k + s) - abs(k));
        if (near == far) {
            put(program, near, 1 - rise);
        } else {
            put(program, near, 1);
            put(program, far, -rise);
        }
        if (question->delta > 0) put(program, program->columns++, -question->delta / size_at(program, near));
        end_row(program, 0);
    }
    if (question->delta == 0) return;
    for (int k = first; k <= end; k++)
        put(program, share++, k > program->last - question->steps ? 1 / (1 - 1 / program->growth) : 1);
    end_row(program, 1);
}

static void add_all(struct program *program) {
    program->rows = program->elements = program->row_start[0] = 0;
    program->columns = program->last + 1;
    for (int k = 0; k <= program->last; k++) {
        double mass, square;
        weigh(program, k, &mass, &square);
        put(program, k, mass * size_at(program, k));
        program->objective[k] = square * size_at(program, k) * program->question->epsilon * program->question->epsilon;
    }
    end_row(program, 1);
    for (int s = 1; s <= program->question->steps; s++) add_shift(program, s);
    for (int j = program->last + 1; j < program->columns; j++) program->objective[j] = 0;
}

static const char *solve(struct program *program) {
    add_all(program);
    Clp_Simplex *model = Clp_newModel();
    Clp_setLogLevel(model, 0);
    Clp_setPrimalTolerance(model, 1e-9);
    Clp_setDualTolerance(model, 1e-9);
    double *row_lower = malloc((size_t)program->rows * sizeof *row_lower);
    int *none = calloc((size_t)program->columns + 1, sizeof *none);
    const char *trouble = "out of memory";
    if (row_lower && none) {
        for (int i = 0; i < program->rows; i++) row_lower[i] = i ? -INFINITY : 1;
        Clp_addColumns(model, program->columns, NULL, NULL, program->objective, none, NULL, NULL);
        Clp_addRows(model, program->rows, row_lower, program->row_upper, program->row_start, program->column,
                    program->element);
        Clp_initialSolve(model);
        trouble = Clp_status(model) == 0 ? NULL : "Clp found no optimum";
    }
    const double *q = Clp_primalColumnSolution(model);
    for (int k = 0; !trouble && k <= program->last; k++) program->p[k] = fmax(q[k], 0) * size_at(program, k);
    free(row_lower);
    free(none);
    Clp_deleteModel(model);
    return trouble;
}

/* p at any point, of the noise as Clp found it divided by its sum. */
static double probability(const struct program *program, int k) {
    int near = fold(program, k), blocks = (abs(k) - near) / program->question->steps;
    return program->p[near] * exp(-program->question->epsilon * blocks);
}

static void normalise(struct program *program, double *variance) {
    double sum = 0, mass, square;
    *variance = 0;
    for (int k = 0; k <= program->last; k++) {
        weigh(program, k, &mass, &square);
        sum += mass * program->p[k];
        *variance += square * program->p[k];
    }
    for (int k = 0; k <= program->last; k++) program->p[k] /= sum;
    *variance /= sum;
}

/* delta at the shift s, summed over all points with a probability above 1e-30. */
static double delta_at(const struct program *program, int s) {
    int end = program->last + program->question->steps * (int)(70 / program->question->epsilon);
    double delta = 0;
    for (int k = -end; k <= end; k++)
        delta += fmax(0, probability(program, k) - program->growth * probability(program, k + s));
    return delta;
}

/* Clp's tolerance lets delta be exceeded by a little; more than that is no answer. */
static const char *measure(struct program *program, struct optimum *out) {
    normalise(program, &out->variance);
    out->excess = 0;
    for (int s = 1; s <= program->question->steps; s++) out->excess = fmax(out->excess, delta_at(program, s));
    bool good = out->excess <= program->question->delta * (1 + 1e-5) + 1e-12;
    return good ? NULL : "what Clp found is not private";
}

const char *limit_program(struct optimum *out, const struct question *question) {
    double epsilon = question->epsilon, delta = question->delta;
    /* Truncated Laplace noise ends at log(1 + expm1(epsilon)/2 delta)/epsilon sensitivities; the optimum ends near there. */
    double blocks = delta > 0 ? 1 + ceil(log1p(expm1(epsilon) / (2 * delta)) / epsilon) : 2;
    struct program program = {.question = question, .last = question->steps * (int)blocks};
    program.decay = exp(-epsilon / question->steps);
    program.growth = exp(epsilon);
    program.unit = tanh(epsilon / (2 * question->steps));
    size_t steps = (size_t)question->steps, most = (steps + 1) * (size_t)(program.last + question->steps + 2);
    program.p = malloc(most * sizeof *program.p);
    program.row_upper = malloc(most * sizeof *program.row_upper);
    program.row_start = malloc((most + 1) * sizeof *program.row_start);
    program.objective = malloc(2 * most * sizeof *program.objective);
    program.column = malloc(5 * most * sizeof *program.column);
    program.element = malloc(5 * most * sizeof *program.element);
    const char *trouble = "out of memory";
    if (program.p && program.row_upper && program.row_start && program.objective && program.column && program.element)
        trouble = solve(&program);
    if (!trouble) trouble = measure(&program, out);
    free(program.p);
    free(program.row_upper);
    free(program.row_start);
    free(program.objective);
    free(program.column);
    free(program.element);
    return trouble;
}
