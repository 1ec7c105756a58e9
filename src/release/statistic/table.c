/* The table of kinds of statistics. */
#include "release/statistic/statistic.h"

static const struct dpn_statistic_row *const rows[] = {
#define STATISTIC(KIND, name) [DPN_STATISTIC_##KIND] = &dpn_statistic_##name,
#include "release/statistic/statistics.def"
#undef STATISTIC
};
enum { ROWS = sizeof rows / sizeof *rows };

const struct dpn_statistic_row *dpn_statistic_row_of(dpn_statistic_kind kind) {
    return (size_t)kind < ROWS ? rows[kind] : NULL;
}

const char *dpn_statistic_kind_name(dpn_statistic_kind kind) {
    return (size_t)kind < ROWS ? rows[kind]->name : NULL;
}

unsigned dpn_statistic_shape_of(dpn_statistic_kind kind) {
    return (size_t)kind < ROWS ? rows[kind]->shape : 0;
}
