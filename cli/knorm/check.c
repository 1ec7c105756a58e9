/* `knorm check`: the lemmas on K-norm noise tried with exact draws.
 *
 *   Lemma 3.4   |V| follows Gamma(m, rate): the largest distance of the distribution functions
 *   Lemma 3.5   the ball of the radius of p holds a share p of the draws
 *   Lemma 3.16  |V| and V/|V| are independent: means of the squares of V/|V| on either side of the median of |V|
 *
 * Each is allowed what happens by chance with a probability of at most 1e-6. */
#include "kit/fail.h"
#include "knorm/knorm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct check {
    size_t count;
    double distance, allowed; /* Lemma 3.4 */
    double p, share;          /* Lemma 3.5 */
    double score, most_score; /* Lemma 3.16 */
};

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The distance of the norms from Gamma(m): depth, falling, is the upper tail at each. */
static double distance_of(const double *depth, size_t count) {
    double most = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        double below = 1 - depth[i];
        most = fmax(most, fmax(below - (double)i / n, (double)(i + 1) / n - below));
    }
    return most;
}

/* Welch's statistic of one coordinate's square of V/|V| for small and large norms. */
static double score_of(const double *value, const double *norm, double median, size_t count, size_t m, size_t j) {
    double n[2] = {0, 0}, sum[2] = {0, 0}, squares[2] = {0, 0};
    for (size_t k = 0; k < count; k++) {
        double x = value[k * m + j] / norm[k], y = x * x;
        int side = norm[k] > median;
        if (!(norm[k] > 0)) continue;
        n[side]++;
        sum[side] += y;
        squares[side] += y * y;
    }
    double variance = 0;
    for (int side = 0; side < 2; side++) {
        double mean = sum[side] / n[side];
        variance += fmax(squares[side] / n[side] - mean * mean, 0) / n[side];
    }
    double gap = fabs(sum[0] / n[0] - sum[1] / n[1]);
    return gap > 0 ? gap / sqrt(variance) : 0;
}

/* The z with 2 Q(z) = 1e-6/m, from above: Q(z) <= exp(-z^2/2)/2. */
static double score_limit(size_t m) {
    return sqrt(2 * log(1e6 * (double)m));
}

static dpn_status measure(struct check *out, const struct knorm_question *question, const double *value,
                          dpn_error *why) {
    const struct knorm_ball *at = &question->ball[0];
    size_t m = question->dimension, count = out->count;
    double scale = at->delta / question->epsilon;
    double *norm = calloc(count, sizeof *norm), *sorted = calloc(count, sizeof *sorted);
    double *depth = calloc(count, sizeof *depth);
    dpn_status status = norm && sorted && depth ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    if (!status) {
        double radius = dpn_knorm_radius(m, scale, out->p), inside = 0;
        for (size_t k = 0; k < count; k++) {
            norm[k] = sorted[k] = dpn_ball_norm(at->ball, &value[k * m]);
            depth[k] = dpn_knorm_depth(at->ball, scale, &value[k * m]);
            inside += norm[k] <= radius;
        }
        qsort(sorted, count, sizeof *sorted, ascending);
        qsort(depth, count, sizeof *depth, ascending);
        for (size_t k = 0; k < count / 2; k++) { /* the deepest first, as the norms are */
            double swap = depth[k];
            depth[k] = depth[count - 1 - k];
            depth[count - 1 - k] = swap;
        }
        out->distance = distance_of(depth, count);
        out->allowed = sqrt(log(2e6) / (2 * (double)count)); /* Dvoretzky, Kiefer, Wolfowitz; Massart */
        out->share = inside / (double)count;
        for (size_t j = 0; j < m; j++)
            out->score = fmax(out->score, score_of(value, norm, sorted[count / 2], count, m, j));
        out->most_score = score_limit(m);
    }
    free(norm);
    free(sorted);
    free(depth);
    return status;
}

static void print_json(const struct knorm_question *question, const struct check *check, bool holds) {
    struct json object = json_begin(stdout);
    json_string(&object, "ball", question->ball[0].text);
    json_count(&object, "count", check->count);
    json_number(&object, "distance", check->distance);
    json_number(&object, "distance_allowed", check->allowed);
    json_number(&object, "p", check->p);
    json_number(&object, "share", check->share);
    json_number(&object, "score", check->score);
    json_number(&object, "score_allowed", check->most_score);
    json_bool(&object, "holds", holds);
    json_end(&object);
}

dpn_status knorm_check(struct knorm_question *question, uint64_t count, bool json, dpn_error *why) {
    struct check check = {.count = (size_t)count, .p = 0.9};
    double *value = NULL, acceptance;
    bool exact;
    if (count < 100) return refuse(why, DPN_EDOMAIN, "check needs --count of at least 100 draws");
    dpn_status status = knorm_draw_all(&value, &acceptance, &exact, question, count, 0, why);
    if (!status) status = measure(&check, question, value, why);
    free(value);
    if (status) return status;
    bool gamma = check.distance <= check.allowed, set = fabs(check.share - check.p) <= check.allowed;
    bool apart = check.score <= check.most_score;
    if (json) {
        print_json(question, &check, gamma && set && apart);
        return DPN_OK;
    }
    printf("%s in %zu dimensions, %zu draws\n", question->ball[0].text, question->dimension, check.count);
    printf("  norm is Gamma       %s: distance %.4g, allowed %.4g (Lemma 3.4)\n", gamma ? "yes" : "no", check.distance,
           check.allowed);
    printf("  concentration set   %s: of p = %.4g holds %.4g (Lemma 3.5)\n", set ? "yes" : "no", check.p, check.share);
    printf("  independent         %s: score %.4g, allowed %.4g (Lemma 3.16)\n", apart ? "yes" : "no", check.score,
           check.most_score);
    return DPN_OK;
}
