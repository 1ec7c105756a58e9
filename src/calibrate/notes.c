/* What the reader of a plan should know about the search. */
#include "calibrate/notes.h"

#include "law/facts.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void dpn_note_add(char *note, const char *sentence) {
    size_t used = strlen(note);
    snprintf(note + used, DPN_PLAN_NOTE_SIZE - used, "%s%s", used ? "; " : "", sentence);
}

/* Gaussian noise is the member alpha = 0 or m = 0 of some families, Laplace noise never a member but a limit. */
bool dpn_note_limit(char *note, const struct dpn_family *asked, const struct dpn_family *found) {
    if (asked == found) return false;
    char sentence[DPN_PLAN_NOTE_SIZE];
    const dpn_shape_fact *shape = asked->shape;
    bool member = shape && ((shape->below == found && shape->below_is_member) || shape->member == found);
    snprintf(sentence, sizeof sentence,
             member ? "no %s noise was found with less error than %s noise, which is one of its members"
                    : "no less error was found than in the limit %s -> %s, which is returned",
             asked->name, found->name);
    dpn_note_add(note, sentence);
    return !member;
}

/* Whether nothing lies below: steps that have no high part are those that have no low one, of the largest shape. */
static bool comes_round(const struct dpn_family *family, double shape) {
    return family->stairs && shape <= family->shape->least;
}

/* Whether larger shapes are refused: then nothing lies beyond. */
static bool domain_ends(const struct dpn_family *family, double shape) {
    dpn_law law;
    return dpn_family_tune(&law, family, nextafter(shape, INFINITY), 1, 1, NULL) != DPN_OK;
}

void dpn_note_edge(char *note, const struct dpn_family *family, double shape, double from, double to) {
    char sentence[DPN_PLAN_NOTE_SIZE], edge[DPN_NUMBER_SIZE];
    const double close = 1e-3;
    double lowest = family->shape->lowest;
    bool below = shape - lowest <= (from - lowest) * (1 + close), above = shape - lowest >= (to - lowest) * (1 - close);
    if ((above && domain_ends(family, to)) || (below && comes_round(family, from))) return;
    if (!below && !above) return;
    dpn_number_print(edge, below ? from : to);
    snprintf(sentence, sizeof sentence, "%.40s is at the edge of the search, %s: less error may lie beyond",
             family->shape->name, edge);
    dpn_note_add(note, sentence);
}

void dpn_note_step(char *note, const struct dpn_family *family) {
    char sentence[DPN_PLAN_NOTE_SIZE], times[DPN_NUMBER_SIZE] = "";
    const dpn_shape_fact *shape = family->shape;
    if (!shape || !(shape->step > 0)) return;
    if (shape->step != 1) dpn_number_print(times, 1 / shape->step);
    snprintf(sentence, sizeof sentence, "%s%.40s is a whole number", times, shape->name);
    dpn_note_add(note, sentence);
}
