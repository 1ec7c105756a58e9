/* What the reader of a plan should know about the search, in half a sentence each. */
#ifndef DPN_CALIBRATE_NOTES_H
#define DPN_CALIBRATE_NOTES_H

#include "law/family.h"

#include <dpnoise/calibrate.h>

/* note: room for DPN_PLAN_NOTE_SIZE; what does not fit is left out. */
void dpn_note_add(char *note, const char *sentence);

/* That noise of another family was found than was asked for; returns whether that is a limit of it, and not one of its members. */
bool dpn_note_limit(char *note, const struct dpn_family *asked, const struct dpn_family *found);

/* That the shape is at an end of the range that was searched, if it is: less error may lie beyond. NaN for an end: its limit was looked at. */
void dpn_note_edge(char *note, const struct dpn_family *family, double shape, double from, double to);

/* Of a family whose shapes come in steps: "alpha is a whole number", "2m is a whole number". */
void dpn_note_step(char *note, const struct dpn_family *family);

#endif
