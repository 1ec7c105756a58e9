/* What is known of a mechanism before it is calibrated. */
#ifndef DPN_CALIBRATE_MECHANISM_H
#define DPN_CALIBRATE_MECHANISM_H

#include <stdbool.h>

typedef struct dpn_mechanism_traits {
    bool integer; /* noise on the integers */
    bool joint;   /* coordinates share a draw */
    bool lawless; /* independent noise on each coordinate, but of no family of laws */
    bool
        not_log_concave; /* or on the integers: that one coordinate moved by N is worse than several by N in all is not known */
    bool quick;          /* it calibrates in a moment */
    bool slow_apart; /* quick, but not where sensitivities differ */
    bool slow_many;  /* with a delta, where many sensitivities differ */
} dpn_mechanism_traits;

/* Of a name of dpn_mechanism_name; nothing holds for any other. */
dpn_mechanism_traits dpn_mechanism_traits_of(const char *name);

/* The mechanisms that are not families of laws. */
#define DPN_MECHANISM_K_NORM "k-norm"
#define DPN_MECHANISM_BLOCKS "blocks"
#define DPN_MECHANISM_START_BOX "start-box"
#define DPN_MECHANISM_START_STAIRCASE "start-staircase"
#define DPN_MECHANISM_RANDOM_BOX "random-box"
#define DPN_MECHANISM_SPHERICAL "spherical"
#define DPN_MECHANISM_TRUNCATED_STAIRCASE "truncated-staircase"
#define DPN_MECHANISM_DISCRETE_STAIRCASE "discrete-staircase"

#endif
