/* The mechanisms that calibrate: the families of laws, K-norm noise, blocks of it, start boxes, random boxes, spherical noise, and staircases that end. */
#include "calibrate/mechanism.h"

#include "calibrate/tuning.h"
#include "law/facts.h"

#include <dpnoise/calibrate.h>
#include <string.h>

const char *dpn_mechanism_name(size_t index) {
    static const char *const joint[] = {DPN_MECHANISM_K_NORM,
                                        DPN_MECHANISM_BLOCKS,
                                        DPN_MECHANISM_START_BOX,
                                        DPN_MECHANISM_START_STAIRCASE,
                                        DPN_MECHANISM_RANDOM_BOX,
                                        DPN_MECHANISM_SPHERICAL,
                                        DPN_MECHANISM_TRUNCATED_STAIRCASE,
                                        DPN_MECHANISM_DISCRETE_STAIRCASE,
                                        NULL};
    for (size_t i = 0; dpn_families[i]; i++, index--)
        if (index == 0) return dpn_families[i]->name;
    return index < sizeof joint / sizeof *joint ? joint[index] : NULL;
}

const char *dpn_family_shape(const char *name) {
    const struct dpn_family *family = name ? dpn_family_find(name) : NULL;
    return family && family->shape ? family->shape->name : NULL;
}

dpn_mechanism_traits dpn_mechanism_traits_of(const char *name) {
    const struct dpn_family *family = dpn_family_find(name);
    bool one_block = strcmp(name, DPN_MECHANISM_K_NORM) == 0, blocks = strcmp(name, DPN_MECHANISM_BLOCKS) == 0;
    bool start = strcmp(name, DPN_MECHANISM_START_BOX) == 0 || strcmp(name, DPN_MECHANISM_START_STAIRCASE) == 0;
    bool random_box = strcmp(name, DPN_MECHANISM_RANDOM_BOX) == 0,
         spherical = strcmp(name, DPN_MECHANISM_SPHERICAL) == 0;
    bool whole = strcmp(name, DPN_MECHANISM_DISCRETE_STAIRCASE) == 0;
    if (whole || strcmp(name, DPN_MECHANISM_TRUNCATED_STAIRCASE) == 0)
        return (dpn_mechanism_traits){.integer = whole, .lawless = true, .not_log_concave = true, .quick = whole};
    if (!family)
        return (dpn_mechanism_traits){.joint = one_block || blocks || start || random_box || spherical,
                                      .quick = one_block || start || random_box};
    dpn_family_lore known = dpn_family_known(family);
    return (dpn_mechanism_traits){.integer = family->integer,
                                  .not_log_concave = family->integer || family->not_log_concave,
                                  .quick = known.quick,
                                  .slow_apart = known.slow_apart,
                                  .slow_many = known.slow_many};
}
