/* The parts of a registration, for those who read, write and check it. */
#ifndef DPN_QUESTION_REGISTRATION_H
#define DPN_QUESTION_REGISTRATION_H

#include <dpnoise/registration.h>

/* Room for the longest text of a source, with its terminating zero. */
enum { DPN_PLACE_SIZE = 4096 };

/* A text member of a source. */
typedef struct dpn_place_part {
    const char *name;
    char **text;
    bool has;   /* the kind has it */
    bool needs; /* and cannot be without */
} dpn_place_part;

/* The members of a source of its kind, in the order of its text. */
enum { DPN_PLACE_PARTS = 7 };
void dpn_place_parts(dpn_place_part out[DPN_PLACE_PARTS], dpn_place *place);

/* Whether a source has the members of its kind, and texts that a ledger can keep.
 * Errors   DPN_EDOMAIN, DPN_EPARSE, with a sentence that names the member. */
dpn_status dpn_place_check(const dpn_place *place, dpn_error *why);

/* The largest delta with two digits not above min(1e-6, 1/(10 n^2)); 1e-6 for n = 0. Room for its text is 32 bytes.
 * Domain   n <= 10^15. */
enum { DPN_USUAL_DELTA_SIZE = 32 };
char *dpn_usual_delta(char out[DPN_USUAL_DELTA_SIZE], uint64_t population);

/* The largest population that is taken. */
#define DPN_POPULATION_MOST UINT64_C(1000000000000000)

#endif
