/* Drawing uniform points: doubles with error bounds first, spans where these do not decide. */
#include "geometry/gauge.h"
#include "geometry/interior.h"

#include <math.h>
#include <stdlib.h>

/* ---- Envelopes in doubles ---- */

static dpn_try draw_box(const dpn_interior *u, dpn_lazy *x, double *value, double *error, dpn_rng *rng) {
    for (size_t i = 0; i < u->dimension; i++) {
        if (!dpn_lazy_uniform(&x[i], rng)) return DPN_FAILED;
        value[i] = u->scale[i] * (x[i].negative ? -dpn_lazy_double(&x[i]) : dpn_lazy_double(&x[i]));
        error[i] = u->scale[i] * 0x1p-50;
    }
    return DPN_DRAWN;
}

/* What the doubles of numbers may miss: 2^-52 of them and the width of their cells. */
static double miss(const dpn_lazy *x) {
    return dpn_lazy_double(x) * 0x1p-51 + dpn_lazy_width(x);
}

static double signed_value(const dpn_lazy *x) {
    return x->negative ? -dpn_lazy_double(x) : dpn_lazy_double(x);
}

static dpn_try draw_numbers(const dpn_interior *u, dpn_lazy *x, dpn_rng *rng) {
    dpn_try result = DPN_DRAWN;
    for (size_t i = 0; i < u->dimension && result == DPN_DRAWN; i++) result = dpn_lazy_draw(&x[i], u->table, rng);
    if (result == DPN_DRAWN) result = dpn_lazy_draw(&x[u->dimension], u->exponential, rng);
    return result;
}

static double power_of(double x, double p) {
    return p == 1 ? x : p == 2 ? x * x : pow(x, p);
}

/* X_i over (sum |X_i|^p + p Z)^(1/p). An error of the sum is one of all coordinates. Sums of m terms err by less than m
 * 2^-52, and pow by less than 2^-43. */
static dpn_try draw_ratio(const dpn_interior *u, dpn_lazy *x, double *value, double *error, dpn_rng *rng) {
    size_t m = u->dimension;
    double p = u->ball->p;
    dpn_try result = draw_numbers(u, x, rng);
    if (result != DPN_DRAWN) return result;
    double sum = p * dpn_lazy_double(&x[m]), missed = p * miss(&x[m]);
    for (size_t i = 0; i < m; i++) {
        double size = dpn_lazy_double(&x[i]), width = miss(&x[i]);
        sum += power_of(size, p);
        missed += p == 1 ? width : p * width * power_of(size + width, p - 1);
    }
    double relative = missed / sum + ((double)m + 16) * 0x1p-50 + (p == 1 || p == 2 ? 0 : 0x1p-40);
    double total = p == 1 ? sum : p == 2 ? sqrt(sum) : pow(sum, 1 / p);
    for (size_t i = 0; i < m; i++) {
        value[i] = u->scale[i] * signed_value(&x[i]) / total;
        error[i] = 2 * (fabs(value[i]) * relative + u->scale[i] * miss(&x[i]) / total);
        if (!(relative < 0.01)) error[i] = INFINITY; /* all but 0: spans decide */
    }
    return DPN_DRAWN;
}

static const double *vertex_of(const dpn_interior *u, size_t cone, size_t k) {
    return u->cones.vertex + (size_t)u->cones.corner[cone * u->dimension + k] * u->dimension;
}

static dpn_try draw_simplex(const dpn_interior *u, dpn_lazy *x, size_t *cone, double *value, double *error,
                            dpn_rng *rng) {
    size_t m = u->dimension;
    if (!dpn_cones_choose(&u->cones, rng, cone)) return DPN_FAILED;
    dpn_try result = draw_numbers(u, x, rng);
    if (result != DPN_DRAWN) return result;
    double total = 0, missed = 0;
    for (size_t k = 0; k <= m; k++) {
        total += dpn_lazy_double(&x[k]);
        missed += miss(&x[k]);
    }
    for (size_t i = 0; i < m; i++) {
        double sum = 0, size = 0, lost = 0;
        for (size_t k = 0; k < m; k++) {
            double v = vertex_of(u, *cone, k)[i], term = v * dpn_lazy_double(&x[k]);
            sum += term;
            size += fabs(term);
            lost += fabs(v) * miss(&x[k]);
        }
        value[i] = sum / total;
        error[i] = 2 * (lost + size * 0x1p-46 + fabs(sum) * (missed / total + 0x1p-46)) / total;
        if (!(missed < 0.01 * total)) error[i] = INFINITY;
    }
    return DPN_DRAWN;
}

static dpn_try draw_parts(const dpn_interior *u, dpn_point_work *work, dpn_rng *rng) {
    size_t at = u->value;
    for (size_t k = 0; k < u->parts; k++) {
        const dpn_interior *part = u->part[k];
        dpn_try result = dpn_interior_draw(part, work, rng);
        if (result != DPN_DRAWN) return result;
        for (size_t i = 0; i < part->dimension; i++, at++) {
            work->value[at] = work->value[part->value + i];
            work->error[at] = work->error[part->value + i];
        }
    }
    return DPN_DRAWN;
}

static dpn_try draw_image(const dpn_interior *u, dpn_point_work *work, dpn_rng *rng) {
    size_t m = u->dimension;
    const dpn_interior *part = u->part[0];
    const double *inner = work->value + part->value, *inner_error = work->error + part->value;
    dpn_try result = dpn_interior_draw(part, work, rng);
    for (size_t i = 0; i < m && result == DPN_DRAWN; i++) {
        const double *row = u->ball->matrix + i * m;
        double sum = 0, size = 0, error = 0;
        for (size_t j = 0; j < m; j++) {
            sum += row[j] * inner[j];
            size += fabs(row[j] * inner[j]);
            error += fabs(row[j]) * inner_error[j];
        }
        work->value[u->value + i] = sum;
        work->error[u->value + i] = 2 * (error + size * ((double)m + 4) * 0x1p-52);
    }
    return result;
}

static dpn_try draw_envelope(const dpn_interior *u, dpn_point_work *work, dpn_rng *rng) {
    dpn_lazy *x = work->number + u->number;
    double *value = work->value + u->value, *error = work->error + u->value;
    switch (u->envelope) {
    case DPN_ENVELOPE_BOX:
        return draw_box(u, x, value, error, rng);
    case DPN_ENVELOPE_LP:
        return draw_ratio(u, x, value, error, rng);
    case DPN_ENVELOPE_SIMPLEX:
        return draw_simplex(u, x, &work->cone[u->cone], value, error, rng);
    case DPN_ENVELOPE_PARTS:
        return draw_parts(u, work, rng);
    default:
        return draw_image(u, work, rng);
    }
}

/* ---- Envelopes in spans ---- */

static dpn_span lazy_size(int limbs, const dpn_lazy *x) {
    dpn_span span = dpn_span_lazy(limbs, x);
    return dpn_span_size(limbs, &span);
}

static bool ratio_spans(dpn_span *out, const dpn_interior *u, const dpn_lazy *x, int limbs) {
    double p = u->ball->p;
    dpn_span total = lazy_size(limbs, &x[u->dimension]), times = dpn_span_double(limbs, p);
    total = dpn_span_multiply(limbs, &total, &times);
    for (size_t i = 0; i < u->dimension; i++) {
        dpn_span term = lazy_size(limbs, &x[i]);
        term = dpn_span_power(limbs, &term, p);
        total = dpn_span_add(limbs, &total, &term);
    }
    total = dpn_span_root(limbs, &total, p);
    for (size_t i = 0; i < u->dimension; i++) {
        dpn_span scale = dpn_span_double(limbs, u->scale[i]), term = dpn_span_lazy(limbs, &x[i]);
        term = dpn_span_multiply(limbs, &term, &scale);
        if (!dpn_span_divide(&out[i], limbs, &term, &total)) return false;
    }
    return true;
}

/* The exponentials are sizes of Laplace numbers. */
static bool simplex_spans(dpn_span *out, const dpn_interior *u, const dpn_lazy *x, size_t cone, int limbs) {
    dpn_span total = lazy_size(limbs, &x[u->dimension]);
    for (size_t k = 0; k < u->dimension; k++) {
        dpn_span e = lazy_size(limbs, &x[k]);
        total = dpn_span_add(limbs, &total, &e);
    }
    for (size_t i = 0; i < u->dimension; i++) {
        dpn_span sum = dpn_span_double(limbs, 0);
        for (size_t k = 0; k < u->dimension; k++) {
            dpn_span v = dpn_span_double(limbs, vertex_of(u, cone, k)[i]), e = lazy_size(limbs, &x[k]);
            e = dpn_span_multiply(limbs, &e, &v);
            sum = dpn_span_add(limbs, &sum, &e);
        }
        if (!dpn_span_divide(&out[i], limbs, &sum, &total)) return false;
    }
    return true;
}

static bool image_spans(dpn_span *out, const dpn_interior *u, dpn_point_work *work, int limbs) {
    size_t m = u->dimension;
    dpn_span *inner = malloc(m * sizeof *inner);
    work->no_memory = work->no_memory || inner == NULL;
    bool known = inner && dpn_interior_spans(inner, u->part[0], work, limbs);
    for (size_t i = 0; i < m && known; i++) {
        out[i] = dpn_span_double(limbs, 0);
        for (size_t j = 0; j < m; j++) {
            dpn_span entry = dpn_span_double(limbs, u->ball->matrix[i * m + j]);
            entry = dpn_span_multiply(limbs, &entry, &inner[j]);
            out[i] = dpn_span_add(limbs, &out[i], &entry);
        }
    }
    free(inner);
    return known;
}

bool dpn_interior_spans(dpn_span *out, const dpn_interior *u, dpn_point_work *work, int limbs) {
    const dpn_lazy *x = work->number + u->number;
    bool known = true;
    switch (u->envelope) {
    case DPN_ENVELOPE_BOX:
        for (size_t i = 0; i < u->dimension; i++) {
            dpn_span scale = dpn_span_double(limbs, u->scale[i]), number = dpn_span_lazy(limbs, &x[i]);
            out[i] = dpn_span_multiply(limbs, &number, &scale);
        }
        return true;
    case DPN_ENVELOPE_LP:
        return ratio_spans(out, u, x, limbs);
    case DPN_ENVELOPE_SIMPLEX:
        return simplex_spans(out, u, x, work->cone[u->cone], limbs);
    case DPN_ENVELOPE_PARTS:
        for (size_t k = 0; k < u->parts && known; out += u->part[k++]->dimension)
            known = dpn_interior_spans(out, u->part[k], work, limbs);
        return known;
    default:
        return image_spans(out, u, work, limbs);
    }
}

int dpn_interior_limbs(const dpn_interior *u, const dpn_point_work *work) {
    int most = 0;
    for (size_t i = u->number; i < u->number + u->numbers; i++)
        if (work->number[i].part.words > most) most = work->number[i].part.words;
    return dpn_lazy_limbs(most);
}

/* ---- Members ---- */

/* 1 inside, -1 outside, 0 undecided. */
static int test_spans(const dpn_interior *u, dpn_point_work *work, dpn_span *span, int limbs) {
    dpn_span norm, one = dpn_span_double(limbs, 1);
    if (!dpn_interior_spans(span, u, work, limbs)) return 0;
    dpn_gauge_status status = dpn_gauge(&norm, u->ball, span, limbs);
    if (status == DPN_GAUGE_NO_MEMORY) work->no_memory = true;
    return status == DPN_GAUGE_FOUND ? -dpn_span_compare(limbs, &norm, &one) : 0;
}

static dpn_try decide_wide(const dpn_interior *u, dpn_point_work *work, dpn_rng *rng) {
    dpn_span *span = malloc(u->dimension * sizeof *span);
    dpn_try result = DPN_DRAWN;
    int inside = 0;
    work->no_memory = work->no_memory || span == NULL;
    for (int words = 1; inside == 0 && result == DPN_DRAWN && !work->no_memory; words++) {
        result = dpn_lazy_refine(work->number + u->number, u->numbers, words, rng);
        if (result == DPN_DRAWN) inside = test_spans(u, work, span, dpn_interior_limbs(u, work));
    }
    free(span);
    if (work->no_memory) return DPN_GIVEN_UP;
    return result != DPN_DRAWN ? result : inside > 0 ? DPN_DRAWN : DPN_AGAIN;
}

/* The norm of the doubles errs by at most `slack`. */
static dpn_try decide(const dpn_interior *u, dpn_point_work *work, dpn_rng *rng) {
    const double *value = work->value + u->value, *error = work->error + u->value;
    if (u->ball->kind == &dpn_norm_ball_kind_members)
        return u->ball->contains(u->ball->context, value) ? DPN_DRAWN : DPN_AGAIN;
    double norm = u->ball->kind->norm(u->ball, value), slack = u->evaluation;
    if (!u->exact) return norm <= 1 ? DPN_DRAWN : DPN_AGAIN;
    for (size_t i = 0; i < u->dimension; i++) slack += error[i] * u->unit[i];
    if (norm < 1 - slack) return DPN_DRAWN;
    if (norm > 1 + slack) return DPN_AGAIN;
    return decide_wide(u, work, rng);
}

dpn_try dpn_interior_try(const dpn_interior *u, dpn_point_work *work, dpn_rng *rng) {
    dpn_try result = draw_envelope(u, work, rng);
    return result == DPN_DRAWN && u->tested ? decide(u, work, rng) : result;
}

dpn_try dpn_interior_draw(const dpn_interior *u, dpn_point_work *work, dpn_rng *rng) {
    dpn_try result;
    do result = dpn_interior_try(u, work, rng);
    while (result == DPN_AGAIN);
    return result;
}
