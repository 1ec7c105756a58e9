#include "geometry/minors.h"

#include <stdlib.h>

bool dpn_minors_make(dpn_minors *minors, int columns) {
    minors->columns = columns;
    minors->at = calloc((size_t)1 << columns, sizeof *minors->at);
    if (minors->at == NULL) return false;
    dpn_minors_clear(minors);
    return true;
}

void dpn_minors_free(dpn_minors *minors) {
    free(minors->at);
    minors->at = NULL;
}

void dpn_minors_clear(dpn_minors *minors) {
    minors->rows = 0;
    dpn_integer_set(&minors->at[0], 1);
}

/* Expand along the new row, the last one: the column at place k of S has the sign (-1)^(rows + k). */
void dpn_minors_push_integers(dpn_minors *minors, const dpn_integer *entry) {
    int size = minors->rows + 1;
    for (unsigned set = 1; set < 1u << minors->columns; set++) {
        if (__builtin_popcount(set) != size) continue;
        dpn_integer *sum = &minors->at[set];
        int place = 0;
        sum->sign = sum->length = 0;
        for (int c = 0; c < minors->columns; c++) {
            if (!(set >> c & 1)) continue;
            if (entry[c].sign != 0)
                dpn_integer_accumulate(sum, &entry[c], &minors->at[set & ~(1u << c)], (size - 1 + place) & 1);
            place++;
        }
    }
    minors->rows = size;
}

void dpn_minors_push(dpn_minors *minors, const double *row) {
    dpn_integer entry[DPN_HULL_DIMENSION + 1];
    for (int c = 0; c < minors->columns; c++) dpn_integer_set(&entry[c], row[c]);
    dpn_minors_push_integers(minors, entry);
}

bool dpn_minors_push_independent(dpn_minors *minors, const double *row) {
    int before = minors->rows;
    if (before == minors->columns) return false;
    dpn_minors_push(minors, row); /* minors of fewer rows stay as they are */
    for (unsigned set = 1; set < 1u << minors->columns; set++)
        if (__builtin_popcount(set) == before + 1 && minors->at[set].sign != 0) return true;
    minors->rows = before;
    return false;
}

const dpn_integer *dpn_minors_determinant(const dpn_minors *minors) {
    return &minors->at[((size_t)1 << minors->columns) - 1];
}
