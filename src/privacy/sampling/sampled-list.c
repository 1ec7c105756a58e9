/* The atoms of a sampled step. */
#include "privacy/sampling/sampled-list.h"

#include "base/error.h"
#include "privacy/interval.h"
#include "privacy/loss/atoms.h"
#include "privacy/loss/largest.h"
#include "privacy/loss/loss.h"
#include "privacy/sampling/sampled.h"

#include <stdlib.h>

/* More atoms than this, or losses that occur more often in a step, are left to the FFT. */
enum { MOST_ATOMS = 1 << 13, MOST_TIMES = 32 };

/* Atoms below e^LOG_LEAST of the largest are not listed, nor masses that could underflow later. */
#define LOG_LEAST -110
#define LEAST_MASS 1e-280

typedef struct atom {
    double value, p, q;
} atom;

/* Atoms in the order of their values, with bounds of what these err by and of the relative error of the masses. */
typedef struct atoms {
    size_t count;
    atom *at;
    double value_error, mass_error, lost;
} atoms;

static int by_value(const void *a, const void *b) {
    const atom *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Put atoms that only rounding tells apart together. */
static void sort_and_merge(atoms *all) {
    if (all->count == 0) return;
    qsort(all->at, all->count, sizeof *all->at, by_value);
    double reach = fmax(fabs(all->at[0].value), fabs(all->at[all->count - 1].value)), near = 8 * DBL_EPSILON * reach;
    size_t kept = 0, group = 0, largest_group = 1;
    for (size_t i = 1; i < all->count; i++) {
        if (all->at[i].value - all->at[kept].value <= near) {
            all->at[kept].p += all->at[i].p;
            all->at[kept].q += all->at[i].q;
            if (++group > largest_group) largest_group = group;
        } else {
            all->at[++kept] = all->at[i];
            group = 0;
        }
    }
    all->count = kept + 1;
    all->value_error += near;
    all->mass_error += (double)largest_group * DBL_EPSILON;
}

/* The atoms of one loss: those of the half L >= 0 and their mirror images, the masses divided by their sum. */
static dpn_status of_rule(atoms *out, const dpn_tilt_rule *rule, double lost) {
    double total = 0, reach = 0, magnitude = 0;
    out->at = malloc(2 * rule->count * sizeof *out->at);
    if (!out->at) return DPN_ENOMEM;
    for (size_t i = 0; i < rule->count; i++) {
        double value = rule->value[i], mass = rule->difference[i] * exp(rule->sum[i]), mirror = mass * exp(-value);
        out->at[out->count++] = (atom){value, mass, mirror};
        out->at[out->count++] = (atom){-value, mirror, mass};
        total += mass + mirror;
        reach = fmax(reach, value);
        magnitude = fmax(magnitude, rule->minus[i]);
    }
    for (size_t i = 0; i < out->count; i++) {
        out->at[i].p /= total;
        out->at[i].q /= total;
    }
    out->value_error = 4 * DBL_EPSILON * reach;
    out->mass_error = DBL_EPSILON * (32 + 16 * (magnitude + reach) + (double)rule->count);
    out->lost = 4 * lost / total;
    sort_and_merge(out);
    return DPN_OK;
}

static dpn_status of_loss(atoms *out, const dpn_loss *loss) {
    dpn_shape shape;
    dpn_tilt_rule rule = {0};
    double lost = 0;
    dpn_error unused;
    if (loss->kind != &dpn_loss_kind_law && loss->kind != &dpn_loss_kind_pure) return DPN_EUNSUPPORTED;
    if (dpn_shape_make(&shape, loss, false, &unused)) return DPN_EUNSUPPORTED;
    if (shape.segments > 0 || shape.gaussian != 0 || shape.infinite != 0) return DPN_EUNSUPPORTED;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < shape.atoms && !status; i++)
        status = dpn_tilt_rule_add(&rule, shape.atom[i].value, shape.atom[i].log_mass, 1, fabs(shape.atom[i].log_mass));
    if (shape.listed && !status) status = dpn_atoms_add(&rule, loss, false, 0, LOG_LEAST, &lost);
    if (!status && (rule.count == 0 || 2 * rule.count > MOST_ATOMS)) status = DPN_EUNSUPPORTED;
    if (!status) status = of_rule(out, &rule, lost);
    dpn_tilt_rule_free(&rule);
    return status == DPN_EACCURACY ? DPN_EUNSUPPORTED : status;
}

/* The sums of an atom of each. */
static dpn_status convolve(atoms *all, const atoms *other) {
    if (all->count * other->count > 8 * MOST_ATOMS) return DPN_EUNSUPPORTED;
    atoms sum = {.at = malloc(all->count * other->count * sizeof *sum.at)};
    if (!sum.at) return DPN_ENOMEM;
    double reach = 0;
    for (size_t i = 0; i < all->count; i++)
        for (size_t j = 0; j < other->count; j++) {
            const atom *a = &all->at[i], *b = &other->at[j];
            sum.at[sum.count++] = (atom){a->value + b->value, a->p * b->p, a->q * b->q};
            reach = fmax(reach, fabs(a->value + b->value));
        }
    sum.value_error = all->value_error + other->value_error + DBL_EPSILON * reach;
    sum.mass_error = (all->mass_error + other->mass_error) * (1 + 1e-6) + 2 * DBL_EPSILON;
    sum.lost = all->lost + other->lost;
    sort_and_merge(&sum);
    free(all->at);
    *all = sum;
    return all->count > MOST_ATOMS ? DPN_EUNSUPPORTED : DPN_OK;
}

static dpn_status of_step(atoms *out, const dpn_step *step) {
    out->at = malloc(sizeof *out->at);
    if (!out->at) return DPN_ENOMEM;
    out->at[0] = (atom){0, 1, 1};
    out->count = 1;
    for (size_t i = 0; i < step->parts; i++) {
        atoms one = {0};
        if (step->part[i].times > MOST_TIMES) return DPN_EUNSUPPORTED;
        dpn_status status = step->part[i].times > 0 ? of_loss(&one, &step->part[i].loss) : DPN_OK;
        for (uint64_t k = 0; k < step->part[i].times && !status; k++) status = convolve(out, &one);
        free(one.at);
        if (status) return status;
    }
    return DPN_OK;
}

/* The list of one direction; values that rounding made equal are one. The absent one is read from the other end, where values rise. */
static dpn_status make_loss(dpn_sampled_list *out, int direction, const atoms *all, double rate, dpn_error *why) {
    double *value = out->room + (size_t)(2 * direction) * all->count, *mass = value + all->count;
    size_t count = 0;
    for (size_t k = 0; k < all->count; k++) {
        const atom *a = &all->at[direction ? all->count - 1 - k : k];
        double loss = dpn_sampled_loss(rate, a->value), p = direction ? a->q : rate * a->p + (1 - rate) * a->q;
        if (direction) loss = -loss;
        if (!(p > LEAST_MASS)) {
            out->lost += LEAST_MASS;
        } else if (count > 0 && !(loss > value[count - 1])) {
            mass[count - 1] += p;
        } else {
            value[count] = loss;
            mass[count++] = p;
        }
    }
    dpn_status status = dpn_loss_explicit(&out->loss[direction], value, mass, count, why);
    return status ? dpn_fail(why, DPN_EUNSUPPORTED, "the atoms of a sampled step do not sum to 1") : DPN_OK;
}

dpn_status dpn_sampled_list_make(dpn_sampled_list *out, const dpn_step *step, dpn_error *why) {
    atoms all = {0};
    *out = (dpn_sampled_list){0};
    dpn_status status = step->part || step->parts == 0 ? of_step(&all, step) : DPN_EUNSUPPORTED;
    if (!status) {
        out->room = malloc(4 * all.count * sizeof *out->room);
        if (!out->room) status = DPN_ENOMEM;
    }
    if (status) {
        free(all.at);
        return dpn_fail(why, status,
                        status == DPN_ENOMEM ? "no memory for atoms" : "a step has other losses than atoms");
    }
    /* An error of L is felt as 1.6 of it times the sampled loss from L = 1 on, and as 2.8 q of it before. */
    out->doubt = (dpn_doubt){.relative = 1.6 * all.value_error + 16 * DBL_EPSILON,
                             .absolute = 2.8 * step->rate * all.value_error,
                             .mass = 2 * all.mass_error + 2 * all.lost + (8 + (double)all.count) * DBL_EPSILON};
    out->lost = all.lost;
    double largest = dpn_two_value(dpn_largest_loss(step->part, step->parts, false));
    out->largest[0] = isinf(largest) ? INFINITY : dpn_sampled_loss_away(step->rate, largest);
    out->largest[1] = -dpn_sampled_loss_away(step->rate, -largest);
    for (int i = 0; i < 2 && !status; i++) status = make_loss(out, i, &all, step->rate, why);
    free(all.at);
    return status;
}

void dpn_sampled_list_free(dpn_sampled_list *list) {
    free(list->room);
    *list = (dpn_sampled_list){0};
}
