/* The parts of the reader of plans. */
#ifndef DPN_CALIBRATE_PLAN_READ_H
#define DPN_CALIBRATE_PLAN_READ_H

#include "base/text/json.h"

#include <dpnoise/calibrate.h>

/* What is read, with the block (or phase of a training run) at hand for the sentences. */
typedef struct dpn_plan_reader {
    dpn_json json;
    size_t index;
    dpn_error *why;
} dpn_plan_reader;

/* "block 3 of the plan: member: reason". Returns the status. */
dpn_status dpn_plan_refuse(const dpn_plan_reader *reader, dpn_status status, const char *member, const char *reason);

/* A member; NULL if it is absent or null.
 * Errors   DPN_EPARSE if it is given twice. */
dpn_status dpn_plan_find(const dpn_json_value **out, const dpn_plan_reader *reader, const dpn_json_value *object,
                         const char *name);

/* Which of two words a member is; *out stays as it is if the member is absent. */
dpn_status dpn_plan_read_choice(size_t *out, const dpn_plan_reader *reader, const dpn_json_value *object,
                                const char *name, const char *const words[2]);

/* The words of the members `relation` and `unit`, in the order of their enumerations. */
extern const char *const dpn_plan_relations[2], *const dpn_plan_units[2];

/* What a block of joint noise tells of its ball: the sides of an l1, l2 or linf ball, the vertices of a hull. */
dpn_status dpn_plan_read_ball(dpn_plan *plan, dpn_block *block, const dpn_plan_reader *reader,
                              const dpn_json_value *object);

/* The offsets of a start box, and what they make of its error; nothing for other noise. */
dpn_status dpn_plan_read_start(dpn_block *block, const dpn_plan_reader *reader, const dpn_json_value *object);

/* What a block in a random box tells of its coordinates: "c" and "beta". */
dpn_status dpn_plan_read_box(dpn_block *block, const dpn_plan_reader *reader, const dpn_json_value *object);

#endif
