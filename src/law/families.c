/* The table of families, from families.def. */
#include "law/family.h"

#define FAMILY(row) extern const struct dpn_family dpn_##row;
#include "law/families.def"
#undef FAMILY

#define FAMILY(row) &dpn_##row,
const struct dpn_family *const dpn_families[] = {
#include "law/families.def"
    NULL,
};
