/* Hostile point sets. Whatever the bytes, nothing may crash; a refusal has a reason; and a hull keeps the promises of
 * dpnoise/geometry.h: its points lie in it, its vertices on its surface, and its volume is positive. The first byte is
 * the dimension, the second a way to read the others: doubles, small whole numbers, or fractions of a byte.
 */
#include <dpnoise/geometry.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 64 }; /* numbers: small sets show all there is, and are quick */

static void promise(bool kept, const char *what) {
    if (kept) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static size_t read_numbers(double *out, const uint8_t *data, size_t size, int way) {
    size_t width = way == 0 ? 8 : 1, count = size / width;
    if (count > MOST) count = MOST;
    for (size_t i = 0; i < count; i++) {
        if (way == 0)
            memcpy(&out[i], data + 8 * i, 8);
        else
            out[i] = way == 1 ? (double)(data[i] % 7) - 3 : ldexp((double)data[i] - 128, -(int)(i % 5));
    }
    return count;
}

static void check(const dpn_norm_ball *ball, const double *point, size_t count) {
    size_t m = dpn_ball_dimension(ball);
    double vertex[16], upper;
    dpn_volume volume;
    for (size_t i = 0; i < count; i++) {
        promise(dpn_ball_norm(ball, point + i * m) <= 1 + 1e-9, "points lie in their hull");
        promise(!dpn_ball_norm_upper(&upper, ball, point + i * m, NULL) && upper <= 1 + 1e-6, "an upper bound near 1");
    }
    for (size_t i = 0; i < dpn_ball_vertices(ball); i++) {
        dpn_ball_vertex(vertex, ball, i);
        promise(fabs(dpn_ball_norm(ball, vertex) - 1) <= 1e-6, "vertices lie on the surface");
    }
    promise(!dpn_ball_volume(&volume, ball, NULL, 0, NULL) && volume.exact && isfinite(volume.log), "a volume");
    promise(dpn_ball_vertices(ball) >= 2 * m && dpn_ball_facets(ball) >= (size_t)1 << (m < 2 ? 1 : 2),
            "enough of everything");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    double point[MOST];
    dpn_norm_ball *ball = NULL;
    dpn_error why = {DPN_OK, ""};
    size_t rank, kept[10];
    if (size < 2) return 0;
    size_t m = data[0] % 6 + 1, count = read_numbers(point, data + 2, size - 2, data[1] % 3) / m;
    dpn_status status = dpn_ball_hull(&ball, m, point, count, &why);
    promise(!status || (why.status == status && why.sentence[0] && !ball), "no refusal without a reason");
    promise(status != DPN_EACCURACY, "no hull fails its second look");
    if (!status) {
        promise(!dpn_points_span(&rank, kept, m, point, count, NULL) && rank == m, "a ball spans");
        check(ball, point, count);
    }
    dpn_ball_free(ball);
    return 0;
}
