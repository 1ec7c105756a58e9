/* What a kind of noise in a plan provides. A new kind is one file that ends in one row of this type, and one row in kinds.def;
 * how it is drawn is a row of release/noise/source.h, and what an audit makes of it a line of audit/joint.c, since plans know of
 * no random bits.
 *
 * What a block guarantees is told by its losses alone: the profile, the Renyi divergences, zCDP and the charge of a plan are
 * made of the losses of its blocks.
 */
#ifndef DPN_CALIBRATE_NOISE_KIND_H
#define DPN_CALIBRATE_NOISE_KIND_H

#include "privacy/sensitivity/moves.h"

#include <dpnoise/plan.h>

/* Which moves the losses of a block hold for. */
typedef enum dpn_noise_cover {
    DPN_COVERS_CORNER, /* those of a box, all of whose coordinates move */
    DPN_COVERS_BOX,    /* any within the sensitivities, whatever the other blocks do */
    DPN_COVERS_BALL,   /* those in a ball of the block's own, if no other block has noise */
} dpn_noise_cover;

/* A plan on a set, and what is asked about all its blocks at once. */
typedef struct dpn_plan_view {
    const dpn_plan *plan;
    const dpn_sensitivity *set;
    bool whole;            /* all noise is on the integers: moves are whole */
    bool boxes;            /* all noise is of kinds that cover boxes */
    const dpn_block *ball; /* the one block with noise, if it covers a ball; else NULL */
} dpn_plan_view;

struct dpn_noise_kind {
    const char *name;
    bool silent;  /* no noise: for coordinates that cannot move */
    bool has_law; /* independent noise of block->law on each coordinate */
    bool integer; /* noise on the integers; of a law the law says */

    /* The text in a plan starts with this, or, if there is no parse, is this. NULL: a text that is of no other kind. */
    const char *opening;

    /* Read what follows the opening. The sentence of an error says what was expected. */
    dpn_status (*parse)(dpn_block *out, const char *rest, dpn_error *why);

    /* The text; digits as in dpn_block_print. NULL: the name. */
    void (*print)(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits);

    /* The error on the coordinate at a place in the block; NULL: not known. */
    double (*error)(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective);

    /* NULL: DPN_COVERS_CORNER. */
    dpn_noise_cover (*cover)(const dpn_plan *plan, const dpn_block *block);

    /* What is refused of the set. */
    dpn_status (*check)(const dpn_plan_view *view, const dpn_block *block, dpn_error *why);

    /* Add the losses of the block for the worst move that it covers, by dpn_moves_add; none if it has no noise. If merged,
     * coordinates of different bounds may share the loss of the largest. NULL: nothing is lost. */
    dpn_status (*add_losses)(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                             bool merged, dpn_error *why);

    /* Whether these losses are those of the corner of a box and not only a bound; NULL: they are. */
    bool (*exact)(const dpn_plan_view *view, const dpn_block *block);

    /* Where the losses are a bound: what one release with the block loses at least at epsilon in some move of the set, whatever else the plan
     * releases. NULL: nothing is known. */
    double (*delta_lower)(const dpn_plan_view *view, const dpn_block *block, double epsilon);

    /* Whether the noise ends; NULL: it does not, or its law says. */
    bool (*bounded)(const dpn_block *block);
    bool sub_gaussian; /* its tails are those of Gaussian noise, whatever its numbers are */
};

/* Whether a block has noise on the integers. */
bool dpn_block_is_integer(const dpn_block *block);

/* The row of a block's noise. */
const struct dpn_noise_kind *dpn_noise_kind_of(const dpn_block *block);

dpn_plan_view dpn_plan_on(const dpn_plan *plan, const dpn_sensitivity *set);

/* The kind and what its text tells of the noise. Errors: as parse; those of dpn_law_parse. */
dpn_status dpn_noise_parse(dpn_block *out, const char *text, dpn_error *why);

/* ---- for kinds that are known by an epsilon ---- */

/* "E)" and nothing after it, rounded up. */
dpn_status dpn_noise_parse_epsilon(double *out, const char *rest, dpn_error *why);

/* "E)" as it reads back, or rounded up to digits. */
void dpn_noise_print_epsilon(char *text, size_t size, double epsilon, int digits);

/* Refused where a coordinate moves further than the plan says: the epsilon is that of the plan's sensitivities. And unless all
 * noise covers boxes, on sets other than boxes. */
dpn_status dpn_noise_check_epsilon(const dpn_plan_view *view, const dpn_block *block, dpn_error *why);

/* The loss of randomised response, than which no mechanism of the block's epsilon has a larger profile or divergence. */
dpn_status dpn_noise_add_pure(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                              bool merged, dpn_error *why);

/* ---- for kinds that are known by alpha, the member epsilon, and beta ---- */

/* "A,beta=B)" and nothing after it, both positive; and "name(alpha=A,beta=B)", as it reads back or with so many digits. */
dpn_status dpn_noise_parse_alpha_beta(dpn_block *out, const char *rest, dpn_error *why);
void dpn_noise_print_alpha_beta(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits);

/* Of noise whose losses are bounds. */
bool dpn_noise_is_never_exact(const dpn_plan_view *view, const dpn_block *block);

#endif
