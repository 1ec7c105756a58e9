/* What a comparison has found of a family, for the others. */
#include "calibrate/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How one certification ended. */
typedef struct ending {
    bool known;
    dpn_status status;
    dpn_error why;
    dpn_candidate candidate;
} ending;

/* What is known of one family on one box. */
typedef struct entry {
    const struct dpn_family *family;
    double epsilon, delta;
    bool identical;
    size_t groups;
    dpn_coordinates *group; /* own, and so are the numbers of the spreads */
    dpn_candidate kind[DPN_HUNT_KINDS];
    double error;
    dpn_spread spread[DPN_HUNT_KINDS];
    ending end[DPN_HUNT_KINDS][2];
} entry;

enum { ENTRIES = 16 };

struct dpn_findings {
    size_t count;
    entry entry[ENTRIES];
};

dpn_findings *dpn_findings_new(void) {
    return calloc(1, sizeof(dpn_findings));
}

void dpn_findings_free(dpn_findings *findings) {
    for (size_t i = 0; findings && i < findings->count; i++) {
        free(findings->entry[i].group);
        for (int kind = 0; kind < DPN_HUNT_KINDS; kind++) free(findings->entry[i].spread[kind].shape);
    }
    free(findings);
}

/* On a box the one move that decides is its corner, whatever the family; elsewhere moves differ from family to family. A rival would change
 * what is looked at. */
static bool serves(const dpn_problem *p) {
    return p->findings && p->box && isinf(p->rival);
}

static bool same_groups(const dpn_problem *p, const entry *e) {
    if (p->groups != e->groups) return false;
    for (size_t g = 0; g < p->groups; g++)
        if (p->group[g].bound != e->group[g].bound || p->group[g].weight != e->group[g].weight ||
            p->group[g].count != e->group[g].count)
            return false;
    return true;
}

static entry *find(const dpn_problem *p, const struct dpn_family *family) {
    for (size_t i = 0; serves(p) && i < p->findings->count; i++) {
        entry *e = &p->findings->entry[i];
        if (e->family == family && e->epsilon == p->epsilon && e->delta == p->delta &&
            e->identical == p->options.identical && same_groups(p, e))
            return e;
    }
    return NULL;
}

static void copy_spread(const dpn_spread *to, const dpn_spread *from, size_t groups) {
    memcpy(to->shape, from->shape, groups * sizeof *to->shape);
    memcpy(to->scale, from->scale, groups * sizeof *to->scale);
}

bool dpn_findings_recall(dpn_candidate kind[DPN_HUNT_KINDS], double *error, const dpn_spread *room,
                         const dpn_problem *p, const struct dpn_family *family) {
    const entry *e = find(p, family);
    if (!e) return false;
    for (int i = 0; i < DPN_HUNT_KINDS; i++) {
        kind[i] = e->kind[i];
        if (!kind[i].spread) continue;
        copy_spread(room, &e->spread[i], e->groups); /* a family has one */
        kind[i].spread = room;
    }
    *error = e->error;
    return true;
}

/* Own copies of the groups and the spreads; false without memory. */
static bool take(entry *e, const dpn_problem *p) {
    e->group = malloc((p->groups + 1) * sizeof *e->group);
    if (!e->group) return false;
    memcpy(e->group, p->group, p->groups * sizeof *e->group);
    for (int i = 0; i < DPN_HUNT_KINDS; i++) {
        if (!e->kind[i].spread) continue;
        double *number = malloc(2 * (p->groups + 1) * sizeof *number);
        if (!number) return false;
        e->spread[i] = (dpn_spread){number, number + p->groups};
        copy_spread(&e->spread[i], e->kind[i].spread, p->groups);
    }
    return true;
}

void dpn_findings_keep(const dpn_problem *p, const struct dpn_family *family, const dpn_candidate kind[DPN_HUNT_KINDS],
                       double error) {
    if (!serves(p) || p->findings->count == ENTRIES || find(p, family)) return;
    entry *e = &p->findings->entry[p->findings->count];
    *e = (entry){.family = family,
                 .epsilon = p->epsilon,
                 .delta = p->delta,
                 .identical = p->options.identical,
                 .groups = p->groups,
                 .error = error};
    memcpy(e->kind, kind, sizeof e->kind);
    if (take(e, p)) {
        p->findings->count++;
        return;
    }
    free(e->group);
    for (int i = 0; i < DPN_HUNT_KINDS; i++) free(e->spread[i].shape);
}

/* Whether a candidate is the one that was kept: the family may have been searched anew, with other bounds. */
static bool is_kept(const entry *e, const dpn_candidate *loose, int kind) {
    const dpn_candidate *kept = &e->kind[kind];
    return kept->family == loose->family && kept->shape == loose->shape && kept->mix == loose->mix &&
           kept->width == loose->width && kept->scale == loose->scale && !kept->spread == !loose->spread;
}

bool dpn_findings_recall_end(dpn_candidate *candidate, dpn_status *status, dpn_error *why, const dpn_problem *p,
                             int kind, bool patient) {
    const entry *e = find(p, candidate->family);
    if (!e || !is_kept(e, candidate, kind) || !e->end[kind][patient].known) return false;
    const dpn_spread *spread = candidate->spread;
    *candidate = e->end[kind][patient].candidate;
    candidate->spread = spread;
    *status = e->end[kind][patient].status;
    *why = e->end[kind][patient].why;
    return true;
}

void dpn_findings_keep_end(const dpn_problem *p, const dpn_candidate *loose, int kind, bool patient,
                           const dpn_candidate *end, dpn_status status, const dpn_error *why) {
    entry *e = find(p, loose->family);
    if (!e || !is_kept(e, loose, kind)) return;
    e->end[kind][patient] = (ending){.known = true, .status = status, .candidate = *end};
    if (status) e->end[kind][patient].why = *why;
}
