/* The inverse of a small matrix in doubles, and how far off it is. Matrices are rows after rows. */
#ifndef DPN_BASE_INVERSE_H
#define DPN_BASE_INVERSE_H

#include <stdbool.h>
#include <stddef.h>

/* inverse becomes about the inverse of the n x n matrix, which is destroyed; *log_determinant (NULL: off) about log |det|. Gauss and
 * Jordan, the largest pivot of a column first. False for a pivot that is 0 or not finite. */
bool dpn_matrix_invert(double *inverse, double *log_determinant, double *matrix, size_t n);

/* An upper bound of the largest sum of a row of |I - matrix inverse|, whatever the two hold; infinite or NaN if
 * something overflowed or was not finite. */
double dpn_matrix_residual_upper(const double *matrix, const double *inverse, size_t n);

#endif
