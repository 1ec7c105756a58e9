#include "unit/geometry/brute.h"

#include <math.h>
#include <stdbool.h>

__extension__ typedef __int128 wide;

/* Cofactors by recursion; rows of up to 5 numbers. */
static wide determinant(int size, wide a[5][5]) {
    if (size == 0) return 1;
    wide sum = 0;
    for (int c = 0; c < size; c++) {
        wide minor[5][5];
        for (int i = 1; i < size; i++)
            for (int j = 0, to = 0; j < size; j++)
                if (j != c) minor[i - 1][to++] = a[i][j];
        wide term = a[0][c] * determinant(size - 1, minor);
        sum += c % 2 ? -term : term;
    }
    return sum;
}

static wide coordinate(const double *point, int m, size_t number, int j) {
    wide x = (wide)point[number / 2 * (size_t)m + (size_t)j];
    return number % 2 ? -x : x;
}

/* The plane through the chosen points: n by Cramer's rule for n.v = 1, times the determinant. */
static bool plane(int m, const double *point, const size_t *chosen, wide *normal, wide *offset) {
    wide a[5][5];
    for (int replaced = -1; replaced < m; replaced++) {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) a[i][j] = j == replaced ? 1 : coordinate(point, m, chosen[i], j);
        wide value = determinant(m, a);
        if (replaced < 0)
            *offset = value;
        else
            normal[replaced] = value;
    }
    if (*offset == 0) return false;
    if (*offset < 0) {
        *offset = -*offset;
        for (int j = 0; j < m; j++) normal[j] = -normal[j];
    }
    return true;
}

double brute_norm(int m, const double *point, size_t count, const double *u) {
    size_t chosen[4], points = 2 * count;
    double most = 0;
    for (int i = 0; i < m; i++) chosen[i] = (size_t)i;
    for (;;) {
        wide normal[4], offset = 0;
        if (plane(m, point, chosen, normal, &offset)) {
            bool supports = true;
            for (size_t p = 0; p < points && supports; p++) {
                wide sum = 0;
                for (int j = 0; j < m; j++) sum += normal[j] * coordinate(point, m, p, j);
                supports = sum <= offset;
            }
            double value = 0;
            for (int j = 0; j < m; j++) value += (double)normal[j] * u[j];
            if (supports) most = fmax(most, value / (double)offset);
        }
        int last = m - 1;
        while (last >= 0 && chosen[last] == points - (size_t)(m - last)) last--;
        if (last < 0) return most;
        chosen[last]++;
        for (int i = last + 1; i < m; i++) chosen[i] = chosen[i - 1] + 1;
    }
}
