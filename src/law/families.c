/* The table of families, from families.def. */
#include "law/family.h"

#define FAMILY(row) &dpn_##row,
const struct dpn_family *const dpn_families[] = {
#include "law/families.def"
    NULL,
};
