/* The references, one row each, in the order of the manual (dpnoise/law.h). */
#include "reference/reference.h"

#include <string.h>

#define ROWS(row)                                                                                            \
    row(gaussian) row(laplace) row(flipped_huber) row(osgt) row(huber) row(staircase) row(truncated_laplace) \
        row(subbotin) row(logistic) row(discrete_gaussian) row(discrete_laplace) row(discrete_flipped_huber) \
            row(discrete_osgt) row(truncated_geometric)

#define DECLARE(name) extern const struct ref_family ref_##name;
ROWS(DECLARE)

#define LIST(name) &ref_##name,
static const struct ref_family *const rows[] = {ROWS(LIST) NULL};

const struct ref_family *ref_family_at(size_t index) {
    return index < sizeof rows / sizeof rows[0] ? rows[index] : NULL;
}

const struct ref_family *ref_find(const char *name) {
    for (size_t i = 0; rows[i]; i++) {
        if (strcmp(rows[i]->name, name) == 0) return rows[i];
    }
    return NULL;
}
