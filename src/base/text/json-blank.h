/* Members of a JSON object that one reader takes for itself, before another reads the rest. */
#ifndef DPN_TEXT_JSON_BLANK_H
#define DPN_TEXT_JSON_BLANK_H

#include "base/text/json.h"

/* Blank out a member in a copy of the text that was read: its name, its value, and the comma that joined it to what follows, or
 * else to what stands before. Lines stay where they are counted from, and what is left is JSON.
 * Domain   the copy ends in a zero byte; `value` is of a member, not an element. One member of a text: read it again for the next. */
void dpn_json_blank(char *copy, const dpn_json_value *value);

#endif
