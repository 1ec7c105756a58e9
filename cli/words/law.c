/* Laws as people write and read them. */
#include "words/law.h"

#include "kit/fail.h"
#include "kit/nearest.h"

#include <dpnoise/calibrate.h>
#include <dpnoise/number.h>
#include <math.h>
#include <string.h>

/* If the law fails for its family's name, say which name is near. */
static dpn_status explain_family(const char *text, dpn_error *why) {
    const char *word = text + strspn(text, " \t");
    size_t length = strcspn(word, " \t()=,");
    if (length == 0) return why->status;
    struct nearest search = nearest_to(word, length);
    for (size_t i = 0; dpn_family_name(i); i++) {
        const char *name = dpn_family_name(i);
        if (strlen(name) == length && memcmp(name, word, length) == 0) return why->status;
        nearest_try(&search, name);
    }
    for (size_t i = 0; dpn_mechanism_name(i); i++)
        if (strlen(dpn_mechanism_name(i)) == length && memcmp(dpn_mechanism_name(i), word, length) == 0)
            return refuse(
                why, DPN_EPARSE,
                "%s is noise of a plan and no law: dpnoise calibrate %s --json writes one, and --plan FILE takes it",
                dpn_mechanism_name(i), dpn_mechanism_name(i));
    int shown = length > 40 ? 40 : (int)length;
    if (search.name)
        return refuse(why, DPN_EPARSE, "there is no family '%.*s'; did you mean %s?", shown, word, search.name);
    return refuse(why, DPN_EPARSE, "there is no family '%.*s'; dpnoise law --list shows all", shown, word);
}

/* The number that a law's text, which was read already, gives to a parameter that it has. */
static const char *text_of(const char *text, const char *name, size_t *length) {
    const char *at = strchr(text, '(') + 1;
    for (;; at += strcspn(at, ",") + 1) {
        at += strspn(at, " \t");
        const char *after = at + strcspn(at, " \t=");
        if ((size_t)(after - at) == strlen(name) && memcmp(at, name, strlen(name)) == 0) break;
    }
    at += strcspn(at, "=") + 1;
    at += strspn(at, " \t");
    *length = strcspn(at, " \t,)");
    return at;
}

/* A parameter that is a sensitivity, as the width of a staircase is, becomes the double that the same text becomes as an option: the
 * smallest not below it. Then equal texts are equal numbers, and steps are not narrower than the move they were made for. */
static dpn_status widen_steps(dpn_law *law, const char *text, dpn_error *why) {
    static const char name[] = "sensitivity";
    char number[1100];
    size_t length, count = 0;
    if (isnan(dpn_law_parameter(law, name))) return DPN_OK;
    const char *at = text_of(text, name, &length);
    if (length >= sizeof number) return refuse(why, DPN_EPARSE, "%s: the number is too long", name);
    memcpy(number, at, length);
    number[length] = '\0';
    double parameter[DPN_LAW_PARAMETERS];
    for (const char *each; count < DPN_LAW_PARAMETERS && (each = law_parameter_name(law, count)); count++) {
        parameter[count] = dpn_law_parameter(law, each);
        if (strcmp(each, name) != 0) continue;
        dpn_status status = dpn_number_parse_up(&parameter[count], number, why);
        if (status) return status;
    }
    return dpn_law_make(law, dpn_law_family(law), parameter, count, why);
}

dpn_status law_read(dpn_law *out, const char *text, dpn_error *why) {
    dpn_law law;
    if (dpn_law_parse(&law, text, why)) return explain_family(text, why);
    dpn_status status = widen_steps(&law, text, why);
    if (!status) *out = law;
    return status;
}

const char *law_parameter_name(const dpn_law *law, size_t index) {
    size_t family = 0;
    while (strcmp(dpn_family_name(family), dpn_law_family(law)) != 0) family++;
    return dpn_family_parameter(family, index);
}

void law_write_title(FILE *script, const dpn_law *law) {
    fprintf(script, "'%s(", dpn_law_family(law));
    for (size_t i = 0; i < DPN_LAW_PARAMETERS && law_parameter_name(law, i); i++) {
        const char *name = law_parameter_name(law, i);
        fprintf(script, "%s%s=%.6g", i ? ", " : "", name, dpn_law_parameter(law, name));
    }
    fputs(")'", script);
}

char *law_short(char *text, size_t size, const dpn_law *law) {
    int used = snprintf(text, size, "%s(", dpn_law_family(law));
    for (size_t i = 0; i < DPN_LAW_PARAMETERS && law_parameter_name(law, i) && (size_t)used < size; i++) {
        const char *name = law_parameter_name(law, i);
        used +=
            snprintf(text + used, size - (size_t)used, "%s%s=%.6g", i ? "," : "", name, dpn_law_parameter(law, name));
    }
    if ((size_t)used < size) snprintf(text + used, size - (size_t)used, ")");
    return text;
}
