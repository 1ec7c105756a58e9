/* The declared levels of a grouping, to be found by their bytes. */
#ifndef DPN_TALLY_LEVELS_H
#define DPN_TALLY_LEVELS_H

#include <dpnoise/field.h>
#include <stdbool.h>
#include <stdint.h>

/* The table never changes once it is made, so that no data can make a search long: it is as long as the longest run of taken
 * slots, which the declaration alone decides. */
typedef struct dpn_level {
    const char *text;
    size_t length, index;
    uint64_t low, high; /* of a text of up to 16 bytes: all of it, see levels.c */
} dpn_level;

typedef struct dpn_levels {
    dpn_level *slot; /* without text: free; NULL if there are no levels */
    size_t mask;
    uint64_t seed;
} dpn_levels;

/* Texts that are not repeated; they have to stay. False without memory. */
bool dpn_levels_make(dpn_levels *out, char *const *text, size_t count);
void dpn_levels_free(dpn_levels *levels);

/* The index of a level, SIZE_MAX if the field is not one of them. A NULL is taken for an empty text. */
size_t dpn_levels_find(const dpn_levels *levels, dpn_field field);

/* The same for one field of each of some rows: field[0], field[columns], ... group[i] becomes group[i] count + index, and SIZE_MAX if
 * it was that or the field is not a level. */
void dpn_levels_find_all(size_t *group, const dpn_levels *levels, size_t count, const dpn_field *field, size_t columns,
                         size_t rows);

#endif
