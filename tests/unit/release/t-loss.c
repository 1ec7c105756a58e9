/* The privacy loss of whole releases on neighbouring tables, from the tables and the noise that is drawn alone.
 *
 * Nothing here asks the query how far a unit can move anything. Two tables that differ in one unit are tallied; what moved, in which
 * groups, is the difference of the sums; the loss that noise has for that move is computed here, each kind by its own formula; and
 * the loss of each quantile from the probabilities of all its edges. The sum is at most epsilon. Where a delta is declared, that of these
 * very tables, no more than rounded down, is at most as large, the keys that only one table has included. K-norm noise counts as
 * Laplace noise with the same largest loss there, which is what its certificate rests on; of boxes and staircases all moves together, in
 * units of what each was made for, are no longer than the plan was certified for. */
#include "release/tally/tally.h"

#include "reference/draw.h"
#include "unit/points.h"
#include "unit/random/seeded.h"
#include "unit/release/declared.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 120, COLUMNS = 6, TEXT = 24, PAIRS = 40 };

/* ---- What is asked ---- */

/* A declaration, and what the tables are made to hold for it. */
typedef struct asked {
    char json[DECLARED_SIZE];
    bool persons, unknown, replace, value;
    double epsilon, delta;
} asked;

static void add(asked *out, const char *format, ...) {
    va_list list;
    size_t used = strlen(out->json);
    va_start(list, format);
    vsnprintf(out->json + used, sizeof out->json - used, format, list);
    va_end(list);
}

/* Statistics that share columns and differ in bounds, so that what is merged by mistake shows. */
static const char *const statistics[] = {
    "{'kind': 'count'}",
    "{'kind': 'sum', 'column': 'income', 'lower': '0', 'upper': '100'}",
    "{'kind': 'sum', 'column': 'income', 'lower': '0', 'upper': '1000'}",
    "{'kind': 'sum', 'column': 'income', 'lower': '-1000', 'upper': '100'}",
    "{'kind': 'mean', 'column': 'age', 'lower': '0', 'upper': '120'}",
    "{'kind': 'variance', 'column': 'age', 'lower': '0', 'upper': '120'}",
    "{'kind': 'mean', 'column': 'income', 'lower': '-50', 'upper': '1000'}",
    "{'kind': 'covariance', 'columns': ['income', 'age'], 'lower': ['0', '0'], 'upper': ['100', '120']}",
    /* the others are not for persons that add sums */
    "{'kind': 'histogram', 'column': 'age', 'edges': ['0', '18', '65', '120']}",
    "{'kind': 'histogram', 'column': 'income', 'edges': ['-inf', '0', '100', 'inf']}",
    "{'kind': 'quantile', 'column': 'age', 'quantile': '0.5', 'edges': ['0', '20', '40', '60', '120']}",
    "{'kind': 'quantile', 'column': 'income', 'quantile': '0.9', 'edges': ['0', '10', '100', '1000']}",
    "{'kind': 'quantile', 'column': 'age', 'quantile': '0.25', 'lower': '0', 'upper': '120', 'step': '10'}",
};
enum { STATISTICS = sizeof statistics / sizeof *statistics, FOR_SUMS = 8 };

/* Some at random; every third question asks what is easily charged once for two: bins alone, and several quantiles
 * beside a count. */
static void add_statistics(asked *out, draw_source *source, bool per_person, int number) {
    size_t first = draw_bits(source) % 6, count = 1 + draw_bits(source) % 4, most = per_person ? FOR_SUMS : STATISTICS;
    if (number % 3 == 0 && !per_person) {
        bool bins = number % 2;
        add(out, bins ? "%s" : "%s, %s, %s", statistics[bins ? 8 : 10], statistics[11], statistics[0]);
        return;
    }
    for (size_t i = 0, k = first; i < count; i++, k += 1 + draw_bits(source) % 3)
        if (i == 0 || (k % most != first && k < first + most)) add(out, "%s%s", i ? ", " : "", statistics[k % most]);
}

/* Of a kind: a bit each for persons, replace and a delta. */
static void random_question(asked *out, draw_source *source, int kind, int number) {
    static const char *const epsilons[] = {"0.1", "0.5", "1", "3"}, *const deltas[] = {"1e-9", "1e-6", "0.001"};
    static const double epsilon[] = {0.1, 0.5, 1, 3}, delta[] = {1e-9, 1e-6, 0.001};
    static const char *const noises[] = {"laplace", "gaussian", "flipped-huber", "blocks", "discrete-gaussian"};
    size_t e = draw_bits(source) % 4, d = draw_bits(source) % 3;
    bool groups = draw_chance(source, 0.5), approximate = kind & 1;
    *out = (asked){.persons = kind & 4, .replace = kind & 2};
    out->unknown = groups && approximate && draw_chance(source, 0.5);
    out->value = draw_chance(source, 0.3);
    out->epsilon = epsilon[e];
    bool per_person = out->persons && draw_chance(source, 0.3);
    add(out, "{'statistics': [");
    add_statistics(out, source, per_person, number);
    add(out, "], 'epsilon': '%s', 'relation': '%s'", epsilons[e], out->replace ? "replace" : "add-remove");
    if (approximate) {
        add(out, ", 'delta': '%s'", deltas[d]);
        out->delta = delta[d];
    }
    if (groups && out->unknown) add(out, ", 'by': [{'column': 'region'}]");
    if (groups && !out->unknown) add(out, ", 'by': [{'column': 'region', 'levels': ['a', 'b', 'c', 'd']}]");
    if (out->persons) add(out, ", 'person': 'id'");
    if (per_person) add(out, ", 'per_person': '%s'", draw_chance(source, 0.5) ? "sum" : "mean");
    if (out->persons && !per_person) add(out, ", 'max_rows': %d", (int)(1 + draw_bits(source) % 3));
    if (out->persons && groups) add(out, ", 'max_groups': %d", (int)(1 + draw_bits(source) % 3));
    if (draw_chance(source, 0.3)) add(out, ", 'where': [{'column': 'age', 'is': '<', 'value': '100'}]");
    if (out->value) add(out, ", 'missing': 'value:17'");
    if (draw_chance(source, 0.3) && !per_person) add(out, ", 'count_left_out': true"); /* it is about rows */
    if (draw_chance(source, 0.4)) {
        const char *noise = noises[draw_bits(source) % (approximate ? 5 : 1)];
        add(out, ", 'noise': '%s'", noise);
    }
    add(out, "}");
}

static dpn_query *compile(const asked *question) {
    char json[DECLARED_SIZE];
    dpn_declaration declaration;
    dpn_query *query = NULL;
    dpn_error why;
    declared_quotes(json, question->json);
    if (dpn_declaration_read(&declaration, json, strlen(json), &why)) fail_msg("%s: %s", json, why.sentence);
    dpn_status status = dpn_query_new(&query, &declaration, NULL, &why);
    dpn_declaration_free(&declaration);
    if (status && strstr(why.sentence, "asked twice")) return NULL; /* one of a kind and column, whatever its bounds */
    if (status && !strstr(json, "noise")) fail_msg("%s: %s", json, why.sentence);
    /* a family may not serve a question, such as integers and means; nothing is released then */
    if (status && status != DPN_EUNSUPPORTED && status != DPN_EACCURACY && status != DPN_EDOMAIN)
        fail_msg("%s: %s", json, why.sentence);
    return status ? NULL : query;
}

/* ---- Tables ---- */

enum { REGION, INCOME, AGE, ID };

typedef struct row {
    char text[4][TEXT];
} row;

typedef struct table {
    row row[ROWS];
    size_t rows;
} table;

/* Ends of bounds and beyond, edges, and fields that cannot be used: where one unit moves most. */
static void random_row(row *out, draw_source *source, const char *id) {
    static const char *const regions[] = {"a", "b", "c", "d", "undeclared"};
    static const char *const incomes[] = {"0", "100", "1000", "-1000", "1e9", "-50", "37.5", "", "x"};
    static const char *const ages[] = {"0", "120", "119", "18", "60", "99", "-5", "500", "n/a"};
    strcpy(out->text[REGION], regions[draw_bits(source) % 5]);
    strcpy(out->text[INCOME], incomes[draw_bits(source) % 9]);
    strcpy(out->text[AGE], ages[draw_bits(source) % 9]);
    snprintf(out->text[ID], TEXT, "%s", id);
}

/* Some rows of others in both tables; then the unit, in the first alone or another one in its place in the second. A unit is all
 * rows of a person, many of them alike at times, or one row. */
static void add_unit(table *out, draw_source *source, const asked *question, const char *id) {
    size_t rows = question->persons ? draw_bits(source) % 6 : 1;
    bool alike = draw_chance(source, 0.5);
    for (size_t i = 0; i < rows; i++) {
        row *next = &out->row[out->rows++];
        random_row(next, source, id);
        if (alike && i > 0) memcpy(next->text[INCOME], next[-1].text[INCOME], 2 * TEXT);
    }
}

static void random_pair(table pair[2], draw_source *source, const asked *question) {
    size_t others = draw_bits(source) % 4;
    pair[0] = (table){.rows = others};
    for (size_t i = 0; i < others; i++) {
        char id[TEXT];
        snprintf(id, sizeof id, "other %d", (int)(draw_bits(source) % 2));
        random_row(&pair[0].row[i], source, id);
    }
    pair[1] = pair[0];
    add_unit(&pair[0], source, question, "unit");
    if (question->replace) add_unit(&pair[1], source, question, draw_chance(source, 0.5) ? "unit" : "another");
    if (draw_chance(source, 0.5)) {
        table swap = pair[0];
        pair[0] = pair[1];
        pair[1] = swap;
    }
}

/* ---- Sums ---- */

static dpn_tally *tally_of(const dpn_query *query, const table *of, const dpn_group **group, size_t *groups) {
    static const char *const names[] = {"region", "income", "age", "id"};
    seeded rng;
    dpn_tally *tally = NULL;
    dpn_error why;
    dpn_tally_secret secret = {{1, 2, 3}};
    seeded_begin(&rng, 5);
    if (dpn_tally_new_with(&tally, query, &secret, &rng.rng, &why)) fail_msg("%s", why.sentence);
    for (size_t i = 0; i < of->rows; i++) {
        dpn_field field[COLUMNS];
        for (size_t k = 0; dpn_query_column(query, k); k++)
            for (size_t n = 0; n < 4; n++)
                if (!strcmp(dpn_query_column(query, k), names[n]))
                    field[k] = (dpn_field){of->row[i].text[n], strlen(of->row[i].text[n])};
        if (dpn_tally_rows(tally, field, 1, &why)) fail_msg("%s", why.sentence);
    }
    if (dpn_tally_settle(group, groups, tally, &why)) fail_msg("%s", why.sentence);
    return tally;
}

static const dpn_group *find(const dpn_group *group, size_t groups, const dpn_group *like, size_t bys) {
    for (size_t i = 0; i < groups; i++) {
        bool same = true;
        for (size_t k = 0; k < bys; k++) same = same && !strcmp(group[i].key[k], like->key[k]);
        if (same) return &group[i];
    }
    return NULL;
}

/* ---- Losses ---- */

/* Of all that was released: pure losses add, squares of Gaussian ones add, and the losses of other laws lie on a grid, each moved
 * down to it, so that what is computed from them is no more than the truth. */
enum { CELLS = 801 };
typedef struct losses {
    double pure;    /* of quantiles; and of K-norm and Laplace noise where no delta is declared */
    double squares; /* of mu */
    double cell[CELLS], step;
    bool gridded;
    double shown; /* the probability that a key that only one table has appears */
    double moved
        [64]; /* of boxes and staircases, in units of what they were made for; that of a box stands at its first coordinate */
} losses;

static int cell_of(const losses *l, double loss) {
    double at = floor(loss / l->step) + CELLS / 2;
    return at < 0 ? -1 : at > CELLS - 1 ? CELLS - 1 : (int)at;
}

/* One loss more, independent of the others. */
static void convolve(losses *l, const double *one) {
    static double sum[CELLS];
    memset(sum, 0, sizeof sum);
    int low = 0, high = CELLS - 1;
    while (low < high && one[low] == 0) low++;
    while (high > low && one[high] == 0) high--;
    for (int i = 0; i < CELLS; i++)
        for (int k = low; k <= high && l->cell[i] > 0; k++) {
            int at = i + k - CELLS / 2;
            if (at >= 0) sum[at < CELLS ? at : CELLS - 1] += l->cell[i] * one[k];
        }
    memcpy(l->cell, sum, sizeof sum);
    l->gridded = true;
}

/* Loss and probability of the cells [t, t + h) of one law between its mass's ends; on the integers of its points. */
static void add_law(losses *l, const dpn_law *law, double shift) {
    static double one[CELLS];
    double end = dpn_law_isf(law, 1e-14) + shift, h = dpn_law_is_integer(law) ? 1 : end / 1000;
    memset(one, 0, sizeof one);
    for (double t = -ceil(end / h) * h; t <= end; t += h) {
        bool whole = dpn_law_is_integer(law);
        double mass = whole ? exp(dpn_law_log_pdf(law, t)) : dpn_law_cdf(law, t + h) - dpn_law_cdf(law, t);
        double a = dpn_law_log_pdf(law, t) - dpn_law_log_pdf(law, t + shift);
        double b = whole ? a : dpn_law_log_pdf(law, t + h) - dpn_law_log_pdf(law, t + h + shift);
        int k = cell_of(l, fmin(a, b));
        if (k >= 0) one[k] += mass;
    }
    convolve(l, one);
}

/* Noise with density proportional to e^(-|x|) in m dimensions, moved by `shift`: the radius is Gamma(m), the cosine c of the angle has a
 * density proportional to (1 - c^2)^((m - 3)/2), the loss is |x + shift| - |x|. By the middles of a grid, each loss rounded down. */
static void add_l2(losses *l, double shift, size_t m) {
    static double one[CELLS];
    enum { ANGLES = 64 };
    double total = 0, h = 0.1, end = (double)m + 12 * sqrt((double)m) + 20;
    memset(one, 0, sizeof one);
    for (double r = h / 2; r < end; r += h)
        for (int i = 0; i < ANGLES; i++) {
            double angle = (i + 0.5) * acos(-1) / ANGLES, c = cos(angle);
            double mass = exp((double)(m - 1) * log(r) - r + (double)(m - 2) * log(sin(angle)));
            int k = cell_of(l, sqrt(r * r + 2 * r * shift * c + shift * shift) - r);
            total += mass;
            if (k >= 0) one[k] += mass;
        }
    for (int k = 0; k < CELLS; k++) one[k] /= total;
    convolve(l, one);
}

static bool is(const dpn_law *law, const char *family) {
    char text[DPN_LAW_TEXT_SIZE];
    return !strncmp(dpn_law_print(text, law), family, strlen(family)) && text[strlen(family)] == '(';
}

static double parameter(const dpn_law *law) {
    char text[DPN_LAW_TEXT_SIZE];
    return atof(strchr(dpn_law_print(text, law), '=') + 1);
}

/* Independent noise on a number that moved, in the unit of the law. */
static void add_moved(losses *l, const dpn_law *law, double move, bool approximate) {
    double shift = fabs(move);
    if (shift == 0) return;
    if (is(law, "gaussian"))
        l->squares += shift * shift / (parameter(law) * parameter(law));
    else if (!approximate && (is(law, "laplace") || is(law, "discrete-laplace")))
        l->pure += shift / parameter(law);
    else
        add_law(l, law, shift);
}

static const dpn_law *unit_laplace(void) {
    static dpn_law law;
    if (dpn_law_make(&law, "laplace", (const double[]){1}, 1, NULL)) fail_msg("there is no laplace");
    return &law;
}

/* The norm of a move in the ball of a block, by its definition. */
static double norm_of(const dpn_plan *plan, const dpn_block *block, const double *move) {
    double most = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < block->count; i++) {
        size_t at = block->coordinate[i];
        double side = block->ball == DPN_BALL_BOX ? plan->sensitivity[at] : block->side[i];
        double x = move[at] == 0 ? 0 : fabs(move[at]) / side;
        most = fmax(most, x);
        sum += x;
        squares += x * x;
    }
    return block->ball == DPN_BALL_L1 ? sum : block->ball == DPN_BALL_L2 ? sqrt(squares) : most;
}

static int met[16]; /* how often noise of a kind was moved */

/* Boxes and staircases, in units of what they were made for: of a box the coordinate that moves most counts, staircases are independent, and lose as much for
 * a part of a step as for all of it. Pure ones lose epsilon for each unit. */
static void add_boxes(losses *l, const dpn_plan *plan, const dpn_block *block, const double *move, int grid,
                      const asked *question) {
    bool whole = block->kind == DPN_BLOCK_DISCRETE_STAIRCASE,
         stairs = whole || block->kind == DPN_BLOCK_TRUNCATED_STAIRCASE;
    double most = 0, sum = 0;
    for (size_t i = 0; i < block->count; i++) {
        size_t at = block->coordinate[i];
        double x = fabs(move[at]) / (whole ? ldexp(block->step, grid) : plan->sensitivity[at]);
        if (move[at] == 0) x = 0;
        if (stairs || block->kind == DPN_BLOCK_START_STAIRCASE) x = ceil(x);
        most = fmax(most, x);
        sum += x;
        if (stairs) l->moved[at] += x;
    }
    if (!stairs) l->moved[block->coordinate[0]] += most;
    if (sum > 0) met[block->kind]++;
    if (question->delta > 0) return;
    l->pure += block->epsilon * (stairs ? sum : most);
    if (block->kind == DPN_BLOCK_RANDOM_BOX || (stairs && isfinite(block->high)))
        fail_msg("%s: the noise is not pure", question->json);
}

/* Moves of the coordinates of one draw of the plan. */
static void add_draw(losses *l, const dpn_query *query, const double *move, const asked *question) {
    const dpn_plan *plan = dpn_query_look(query).plan;
    bool approximate = question->delta > 0;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        const dpn_law *law = dpn_block_law(block);
        for (size_t i = 0; i < block->count; i++) {
            double x = move[block->coordinate[i]];
            int grid = dpn_release_grid_exponent(query->release, block->coordinate[i]);
            if (dpn_block_is_silent(block) && x != 0) fail_msg("%s: what has no noise moves", question->json);
            if (law) add_moved(l, law, dpn_law_is_integer(law) ? ldexp(x, -grid) : x, approximate);
        }
        if (law || dpn_block_is_silent(block)) continue;
        if (block->kind != DPN_BLOCK_K_NORM) {
            int grid = dpn_release_grid_exponent(query->release, block->coordinate[0]);
            add_boxes(l, plan, block, move, grid, question);
            continue;
        }
        double length = block->epsilon * norm_of(plan, block, move);
        if (block->ball == DPN_BALL_L2 && block->count > 1 && approximate && length > 0)
            add_l2(l, length, block->count);
        else
            add_moved(l, unit_laplace(), length, approximate);
    }
}

static void add_sums(losses *l, const dpn_query *query, const dpn_group *a, const dpn_group *b, const asked *question) {
    double move[64] = {0};
    if (!query->release) return;
    assert_true(query->moments <= 64);
    for (size_t i = 0; i < query->moments; i++)
        move[i] = ldexp((double)(a->sum[i] - b->sum[i]), query->moment[i].exponent);
    add_draw(l, query, move, question);
    for (size_t i = 0; i < query->moments; i++) { /* each bin or node has a draw of its own */
        if (query->moment[i].kind != DPN_MOMENT_BINS) continue;
        size_t start = 0, set = query->moment[i].a;
        for (size_t s = 0; s < set; s++) start += query->bins[s].edges - 1;
        size_t bins = query->bins[set].edges - 1, width = 1;
        bool tree = set >= query->histograms;
        if (tree) width = dpn_tree_stride(&query->bins[set].tree, query->moment[i].b);
        for (size_t first = 0; first < bins; first += width) {
            double change = 0, alone[64] = {0};
            for (size_t k = first; k < first + width && k < bins; k++)
                change += (double)(a->count[start + k] - b->count[start + k]);
            alone[i] = ldexp(change, query->moment[i].exponent);
            if (change != 0) add_draw(l, query, alone, question);
        }
    }
}

/* The exponential mechanism: log of the probability of each edge under both tables. */
static double quantile_loss(const dpn_quantile *quantile, const int64_t *a, const int64_t *b) {
    double most = 0, log_total[2], score[2][64];
    const int64_t *of[2] = {a, b};
    assert_true(quantile->intervals < 64);
    for (int t = 0; t < 2; t++) {
        double rows = 0, below = 0, total = 0;
        for (size_t i = 0; i < quantile->intervals; i++) rows += (double)of[t][i];
        for (size_t i = 0; i <= quantile->intervals; i++) {
            score[t][i] =
                -quantile->rate * fabs((double)quantile->denominator * below - (double)quantile->numerator * rows);
            total += exp(score[t][i]);
            if (i < quantile->intervals) below += (double)of[t][i];
        }
        log_total[t] = log(total);
    }
    for (size_t i = 0; i <= quantile->intervals; i++)
        most = fmax(most, fabs(score[0][i] - log_total[0] - score[1][i] + log_total[1]));
    return most;
}

static void add_quantiles(losses *l, const dpn_query *query, const dpn_group *a, const dpn_group *b) {
    size_t start = 0, sets = query->histograms + query->trees;
    for (size_t i = 0; i < sets; i++) start += query->bins[i].edges - 1;
    for (size_t i = 0; i < query->quantiles; i++) {
        l->pure += quantile_loss(&query->quantile[i], a->count + start, b->count + start);
        start += query->bins[sets + i].edges - 1;
    }
}

/* P(X > t) of a coordinate of K-norm noise on a box: radius times a uniform number, the radius Gamma(d + 1)/epsilon. */
static double box_survival(double t, size_t dimension, double epsilon, double side) {
    double sum = 0, h = 0.01, log_gamma = lgamma((double)dimension + 1);
    for (double r = h / 2; r < 200; r += h) {
        double density = exp((double)dimension * log(r) - r - log_gamma), reach = r * side / epsilon;
        sum += h * density * (t >= reach ? 0 : t >= -reach ? (reach - t) / (2 * reach) : 1);
    }
    return sum;
}

/* A key that one table alone has: the probability that its noisy number of persons is above the threshold. */
static double shown(const dpn_query *query, const dpn_group *group) {
    const dpn_plan *plan = dpn_query_look(query).plan;
    size_t at = query->persons;
    const dpn_block *block = dpn_plan_block(plan, at);
    const dpn_law *law = dpn_block_law(block);
    int exponent = query->moment[at].exponent, grid = dpn_release_grid_exponent(query->release, at);
    double persons = ldexp((double)group->sum[at], exponent), above = (double)query->threshold - persons;
    if (law && dpn_law_is_integer(law)) return dpn_law_sf(law, floor(ldexp(above, -grid)));
    above += ldexp(0.5, grid); /* noisy numbers are multiples of the grid: the next one begins half a step before it */
    if (law) return dpn_law_sf(law, above);
    return box_survival(above, block->count, block->epsilon, plan->sensitivity[at]);
}

/* ---- Together ---- */

static double gaussian_delta(double mu, double epsilon) {
    if (mu == 0) return epsilon < 0 ? -expm1(epsilon) : 0;
    return 0.5 * erfc((epsilon / mu - mu / 2) / sqrt(2)) - 0.5 * exp(epsilon) * erfc((epsilon / mu + mu / 2) / sqrt(2));
}

/* Of Gaussian noise and the laws on the grid. */
static double delta_lower(const losses *l, double epsilon) {
    double delta = 0, mu = sqrt(l->squares);
    if (!l->gridded) delta = gaussian_delta(mu, epsilon);
    for (int i = 0; i < CELLS && l->gridded; i++) {
        double loss = (i - CELLS / 2) * l->step;
        if (l->cell[i] > 0) delta += l->cell[i] * fmax(0, gaussian_delta(mu, epsilon - loss));
    }
    return l->shown + (1 - l->shown) * delta;
}

static void check_pair(double *reached, const dpn_query *query, const table pair[2], const asked *question) {
    static losses l;
    const dpn_group *group[2], *same;
    size_t groups[2], bys = query->declaration.bys;
    dpn_tally *tally[2];
    memset(&l, 0, sizeof l);
    l.cell[CELLS / 2] = 1;
    l.step = question->epsilon / 100;
    for (int t = 0; t < 2; t++) tally[t] = tally_of(query, &pair[t], &group[t], &groups[t]);
    for (size_t i = 0; i < groups[0]; i++) {
        same = find(group[1], groups[1], &group[0][i], bys);
        if (!same)
            l.shown += shown(query, &group[0][i]);
        else {
            add_sums(&l, query, &group[0][i], same, question);
            add_quantiles(&l, query, &group[0][i], same);
        }
    }
    for (size_t i = 0; i < groups[1]; i++)
        if (!find(group[0], groups[0], &group[1][i], bys)) l.shown += shown(query, &group[1][i]);
    for (int t = 0; t < 2; t++) dpn_tally_free(tally[t]);
    for (size_t i = 0; query->release && i < query->moments; i++) /* what the certificate of the plan rests on */
        if (l.moved[i] > (double)dpn_query_look(query).plan->times * (1 + 1e-9))
            fail_msg("%s: coordinate %zu moves %g times", question->json, i, l.moved[i]);
    double delta = delta_lower(&l, question->epsilon - l.pure);
    bool pure = l.squares == 0 && !l.gridded;
    if (question->delta == 0 && !pure) fail_msg("%s: the noise is not pure", question->json);
    if (pure && l.pure > question->epsilon * (1 + 1e-9)) fail_msg("%s: the loss is %g", question->json, l.pure);
    if (!(delta <= question->delta * (1 + 1e-6))) fail_msg("%s: delta is at least %g", question->json, delta);
    *reached = fmax(*reached, fmax(pure ? l.pure / question->epsilon : 0, delta > 0 ? delta / question->delta : 0));
}

/* ---- The crossing ---- */

/* How near each kind of question comes to what it may lose is looked at too: a test that never comes near says little. Most of the time is
 * that of making plans, about 0.1 s for a question. */
static void every_release_keeps_its_word(void **state) {
    (void)state;
    draw_source source = {2026};
    double nearest[8] = {0};
    int questions = points(48, 160);
    for (int i = 0; i < questions; i++) {
        asked question;
        dpn_query *query = NULL;
        while (!query) {
            random_question(&question, &source, i % 8, i / 8);
            query = compile(&question);
        }
        for (int k = 0; k < PAIRS; k++) {
            table pair[2];
            random_pair(pair, &source, &question);
            check_pair(&nearest[i % 8], query, pair, &question);
        }
        dpn_query_free(query);
    }
    for (int i = 0; i < 8; i++)
        if (!points_are_few() && nearest[i] < (i & 1 ? 0.03 : 0.5)) /* a delta is rounded down */
            fail_msg("questions of kind %d come to %g of what they may lose", i, nearest[i]);
}

/* ---- Worst tables ---- */

/* One statistic alone or a few, Laplace noise, and tables made to lose most: in every group the others have their rows in two places,
 * few or many, so that one edge of a quantile has nearly all of the probability and others lose theirs; the unit's rows are all
 * alike, as many in as many groups as a person may have, and under replace another one's are in other groups or in the same. */
enum { WORST = 200, REGIONS = 4 };

static void simple_question(asked *out, const size_t statistic[2], int kind) {
    *out = (asked){.persons = kind & 4, .replace = kind & 2, .epsilon = 3};
    add(out, "{'statistics': [%s", statistics[statistic[0]]);
    if (statistic[1]) add(out, ", %s", statistics[statistic[1]]);
    add(out, "], 'epsilon': '3', 'noise': 'laplace'");
    add(out, ", 'relation': '%s'", out->replace ? "replace" : "add-remove");
    if (kind & 1) add(out, ", 'by': [{'column': 'region', 'levels': ['a', 'b', 'c', 'd']}]");
    if (out->persons) add(out, ", 'person': 'id', 'max_rows': 2");
    if (out->persons && kind & 1) add(out, ", 'max_groups': 2");
    add(out, "}");
}

static void put_rows(table *out, row like, const char *id, const char *region, size_t copies) {
    for (size_t i = 0; i < copies; i++) {
        row *next = &out->row[out->rows++];
        *next = like;
        if (id)
            strcpy(next->text[ID], id);
        else
            snprintf(next->text[ID], TEXT, "other %zu", out->rows);
        strcpy(next->text[REGION], region);
    }
}

static void usable_row(row *out, draw_source *source) {
    static const char *const incomes[] = {"0", "100", "1e9", "-1e9", "50"}, *const ages[] = {"0", "120", "30", "50",
                                                                                             "19"};
    strcpy(out->text[INCOME], incomes[draw_bits(source) % 5]);
    strcpy(out->text[AGE], ages[draw_bits(source) % 5]);
}

static void worst_pair(table pair[2], draw_source *source, const asked *question, bool grouped) {
    static const char *const region[] = {"a", "b", "c", "d"};
    row place[2], unit[2];
    size_t many[2], groups = grouped && question->persons ? 2 : 1, rows = question->persons ? 2 : 1;
    for (int i = 0; i < 2; i++) {
        usable_row(&place[i], source);
        usable_row(&unit[i], source);
        many[i] = draw_bits(source) % 13;
    }
    if (draw_chance(source, 0.2)) { /* a row that is left out */
        strcpy(unit[1].text[INCOME], "x");
        strcpy(unit[1].text[AGE], "x");
    }
    pair[0] = (table){.rows = 0};
    for (size_t r = 0; r < (grouped ? REGIONS : 1); r++)
        for (int i = 0; i < 2; i++) put_rows(&pair[0], place[i], NULL, region[r], many[i]);
    pair[1] = pair[0];
    bool leaves = question->persons && draw_chance(source, 0.1);     /* the other one has no rows */
    size_t first = grouped && draw_chance(source, 0.7) ? groups : 0; /* of those that come */
    for (size_t g = 0; g < groups; g++) {
        put_rows(&pair[0], unit[0], "unit", region[g], rows);
        if (question->replace && !leaves) put_rows(&pair[1], unit[1], "unit", region[first + g], rows);
    }
}

/* Tables that come near to all of epsilon, or of what is lost twice or not reckoned with no word would be said. A row does not move the
 * numbers of a mean, variance or covariance most at once. */
static void simple_questions_lose_what_they_may(void **state) {
    (void)state;
    static const size_t simple[][2] = {{0},  {1},     {3},     {4},     {8},     {9}, {10}, {11},
                                       {12}, {10, 1}, {10, 8}, {11, 8}, {12, 3}, {5}, {7}};
    draw_source source = {2027};
    for (size_t s = 0; s < sizeof simple / sizeof *simple; s++)
        for (int kind = 0; kind < 8; kind++) {
            asked question;
            double reached = 0;
            if (simple[s][0] < 8 && simple[s][0] > 4 && !(kind & 2)) continue; /* products take longer to plan */
            simple_question(&question, simple[s], kind);
            dpn_query *query = compile(&question);
            for (int k = 0; k < WORST; k++) {
                table pair[2];
                worst_pair(pair, &source, &question, kind & 1);
                check_pair(&reached, query, pair, &question);
            }
            bool fixed = s == 0 && question.replace && !(kind & 1) && !question.persons; /* as many rows */
            if (reached < (fixed ? 0 : 0.55)) fail_msg("%s comes to %g of what it may lose", question.json, reached);
            dpn_query_free(query);
        }
}

/* The noise that best statistics have in turn, asked for by its name: a person with two rows in two groups, or a row, moves it no further than it was made for, and as
 * far. */
static void boxes_and_staircases_move_as_far_as_they_may(void **state) {
    (void)state;
    static const struct {
        const char *name, *statistics;
        dpn_block_kind kind;
        bool approximate;
    } noise[] = {{"start-box", "{'kind': 'count'}, {'kind': 'sum', 'column': 'age', 'lower': '0', 'upper': '120'}",
                  DPN_BLOCK_START_BOX, false},
                 {"start-staircase",
                  "{'kind': 'count'}, {'kind': 'sum', 'column': 'age', 'lower': '0', 'upper': '120'}",
                  DPN_BLOCK_START_STAIRCASE, false},
                 {"random-box",
                  "{'kind': 'variance', 'column': 'age', 'lower': '0', 'upper': '120'}, {'kind': 'variance', 'column': "
                  "'income', 'lower': '0', 'upper': '100'}",
                  DPN_BLOCK_RANDOM_BOX, true},
                 {"truncated-staircase", "{'kind': 'sum', 'column': 'age', 'lower': '0', 'upper': '120'}",
                  DPN_BLOCK_TRUNCATED_STAIRCASE, true},
                 {"discrete-staircase", "{'kind': 'count'}", DPN_BLOCK_DISCRETE_STAIRCASE, true}};
    static const int kinds[] = {0, 2, 4, 7};
    draw_source source = {2028};
    for (size_t n = 0; n < sizeof noise / sizeof *noise; n++) {
        int before = met[noise[n].kind];
        for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
            int kind = kinds[c];
            asked question = {.persons = kind & 4, .replace = kind & 2, .epsilon = 1};
            double reached = 0;
            if (noise[n].approximate) question.delta = 1e-3;
            add(&question, "{'statistics': [%s], 'epsilon': '1', 'noise': '%s'%s", noise[n].statistics, noise[n].name,
                noise[n].approximate ? ", 'delta': '0.001'" : "");
            add(&question, ", 'relation': '%s'", question.replace ? "replace" : "add-remove");
            if (kind & 1) add(&question, ", 'by': [{'column': 'region', 'levels': ['a', 'b', 'c', 'd']}]");
            if (question.persons) add(&question, ", 'person': 'id', 'max_rows': 2");
            if (question.persons && kind & 1) add(&question, ", 'max_groups': 2");
            add(&question, "}");
            dpn_query *query = compile(&question);
            for (int k = 0; query && k < 60; k++) {
                table pair[2];
                worst_pair(pair, &source, &question, kind & 1);
                check_pair(&reached, query, pair, &question);
            }
            dpn_query_free(query);
        }
        if (met[noise[n].kind] < before + 30) fail_msg("%s is hardly met", noise[n].name);
    }
}

/* ---- Bounds ---- */

/* Almost without noise: statistics of one column that differ in one bound have each its own. */
static void each_statistic_has_its_own_bounds(void **state) {
    (void)state;
    static const struct {
        const char *bounds[2], *value;
        double sum[2];
    } pair[] = {{{"'0', 'upper': '900'", "'0', 'upper': '1000'"}, "5000", {900, 1000}},
                {{"'-600', 'upper': '1000'", "'-500', 'upper': '1000'"}, "-5000", {-600, -500}},
                {{"'0', 'upper': '1000'", "'0', 'upper': '900'"}, "5000", {1000, 900}}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        asked question = {.epsilon = 1e4};
        const dpn_group *group;
        size_t groups;
        seeded rng;
        dpn_answer *answer;
        dpn_error why;
        add(&question, "{'statistics': [{'kind': 'sum', 'column': 'income', 'lower': %s}, ", pair[i].bounds[0]);
        add(&question, "{'kind': 'mean', 'column': 'income', 'lower': %s}], 'epsilon': '1e4'}", pair[i].bounds[1]);
        dpn_query *query = compile(&question);
        table one = {.rows = 1};
        strcpy(one.row[0].text[INCOME], pair[i].value);
        dpn_tally *tally = tally_of(query, &one, &group, &groups);
        seeded_begin(&rng, 6);
        if (dpn_query_answer(&answer, query, tally, &rng.rng, &why)) fail_msg("%s", why.sentence);
        for (int k = 0; k < 2; k++) /* P(|noise| > 20) < e^-40 */
            if (fabs(answer->cell[k].value - pair[i].sum[k]) > 20) fail_msg("%g", answer->cell[k].value);
        dpn_answer_free(answer);
        dpn_tally_free(tally);
        dpn_query_free(query);
    }
}

/* ---- Shares ---- */

/* What sums and quantiles have of epsilon adds up to no more than all of it, to the last digit: of 64 bits, in which whole multiples of the shares are exact. */
static void shares_are_no_more_than_epsilon(void **state) {
    (void)state;
    static const char *const epsilons[] = {"0.1", "0.3", "0.7", "1", "1.9", "2.6"};
    for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++)
        for (int count = 1; count <= 5; count++)
            for (int replace = 0; replace < 2; replace++) {
                asked question = {.replace = replace};
                add(&question, "{'statistics': [{'kind': 'count'}");
                for (int i = 0; i < count; i++)
                    add(&question, ", {'kind': 'quantile', 'column': 'c%d', 'quantile': '0.5', 'edges': ['0', '1']}",
                        i);
                add(&question, "], 'epsilon': '%s', 'relation': '%s', 'noise': 'laplace', ", epsilons[e],
                    replace ? "replace" : "add-remove");
                add(&question, "'by': [{'column': 'region', 'levels': ['a', 'b', 'c', 'd']}]}");
                dpn_query *query = compile(&question);
                dpn_query_facts facts = dpn_query_look(query);
                long double each = facts.quantile_epsilon, moves = replace ? 2 : 1; /* the groups that a row moves */
                long double sum = facts.plan->epsilon + count * moves * each, all = strtold(epsilons[e], NULL);
                if (!(sum <= all * (1 + 0x1p-63L))) fail_msg("%s: %.21Lg", question.json, sum);
                if (!(sum >= all * (1 - 0x1p-45L))) fail_msg("%s: %.21Lg is far less", question.json, sum);
                dpn_query_free(query);
            }
}

/* ---- Charges ---- */

/* Beside quantiles sums are charged by what was asked: all of epsilon, and all of delta where their noise spends any; pure noise costs no delta, but what shows of
 * unknown keys does. */
static void a_charge_beside_quantiles_is_what_was_asked(void **state) {
    (void)state;
    static const struct {
        const char *noise, *by;
        double least, most; /* of delta */
    } cost[] = {{"gaussian", "", 1e-6, 1e-6},
                {"laplace", "", 0, 0},
                {"gaussian", ", 'by': [{'column': 'region'}]", 1e-6, 1e-6},
                {"laplace", ", 'by': [{'column': 'region'}]", 1e-9, 1e-6}};
    dpn_decimal epsilon, delta;
    dpn_filter *filter;
    dpn_error why;
    if (dpn_decimal_parse(&epsilon, "1", &why) || dpn_decimal_parse(&delta, "1e-5", &why) ||
        dpn_filter_new_default(&filter, &epsilon, &delta, &why))
        fail_msg("%s", why.sentence);
    for (size_t i = 0; i < sizeof cost / sizeof *cost; i++) {
        asked question = {.epsilon = 0.5};
        dpn_charge charge;
        add(&question, "{'statistics': [{'kind': 'count'}, %s], 'epsilon': '0.5', 'delta': '1e-6', 'noise': '%s'%s}",
            statistics[10], cost[i].noise, cost[i].by);
        dpn_query *query = compile(&question);
        assert_non_null(query);
        if (dpn_query_charge(&charge, query, filter, &why)) fail_msg("%s", why.sentence);
        double spent = dpn_decimal_upper(&charge.delta);
        assert_true(charge.pure && dpn_decimal_lower(&charge.epsilon) == 0.5);
        if (!(spent >= cost[i].least * (1 - 1e-15) && spent <= cost[i].most * (1 + 1e-15)))
            fail_msg("%s: delta %g", question.json, spent);
        dpn_query_free(query);
    }
    dpn_filter_free(filter);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_statistic_has_its_own_bounds),
                                       cmocka_unit_test(shares_are_no_more_than_epsilon),
                                       cmocka_unit_test(a_charge_beside_quantiles_is_what_was_asked),
                                       cmocka_unit_test(simple_questions_lose_what_they_may),
                                       cmocka_unit_test(boxes_and_staircases_move_as_far_as_they_may),
                                       cmocka_unit_test(every_release_keeps_its_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
