/* A composition from options. */
#define _POSIX_C_SOURCE 200809L
#include "input/composition.h"

#include "kit/fail.h"
#include "words/law.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *part_kind_name(enum part_kind kind) {
    static const char *const name[] = {"law", "pure", "block", "guarantee"};
    return name[kind];
}

void composition_free(struct composition *composition) {
    for (size_t i = 0; i < composition->parts; i++) free(composition->words[i].number);
    free(composition->words);
    free(composition->loss);
    free(composition->known);
}

/* ---- A part from its words ---- */

static dpn_status blame(dpn_error *why, const dpn_error *reason, const char *member) {
    return refuse(why, reason->status, "%s: %.200s", member, reason->sentence);
}

static dpn_status make_law(dpn_loss *out, dpn_law *law, const struct part_text *text, dpn_error *why) {
    dpn_error reason;
    double sensitivity;
    if (law_read(law, text->law, &reason)) return blame(why, &reason, "law");
    if (!text->number) return refuse(why, DPN_EPARSE, "sensitivity: it is missing after %.80s", text->law);
    if (dpn_number_parse_up(&sensitivity, text->number, &reason)) return blame(why, &reason, "sensitivity");
    if (!(sensitivity >= 0)) return refuse(why, DPN_EDOMAIN, "sensitivity: %.40s is negative", text->number);
    return dpn_loss_law(out, law, sensitivity, &reason) ? blame(why, &reason, "sensitivity") : DPN_OK;
}

/* A decimal epsilon that is no double is replaced by the next larger one: what is E-DP is that too. */
static dpn_status make_epsilon(dpn_loss *out, const struct part_text *text, dpn_error *why) {
    dpn_error reason;
    double epsilon;
    const char *member = part_kind_name(text->kind);
    if (dpn_number_parse_up(&epsilon, text->number, &reason)) return blame(why, &reason, member);
    if (!(epsilon >= 0)) return refuse(why, DPN_EDOMAIN, "%s: epsilon %.40s is negative", member, text->number);
    dpn_status status =
        text->kind == PART_PURE ? dpn_loss_pure(out, epsilon, &reason) : dpn_loss_block(out, epsilon, &reason);
    return status ? blame(why, &reason, member) : DPN_OK;
}

static dpn_status make_guarantee(dpn_guarantee *out, const struct part_text *text, dpn_error *why) {
    dpn_error reason;
    return dpn_guarantee_parse(out, text->number, &reason) ? blame(why, &reason, "guarantee") : DPN_OK;
}

static dpn_status make_room(struct composition *out, dpn_error *why) {
    if (out->parts < out->room) return DPN_OK;
    size_t room = 2 * out->room + 8;
    dpn_part *loss = realloc(out->loss, room * sizeof *loss);
    if (loss) out->loss = loss;
    dpn_known *known = realloc(out->known, room * sizeof *known);
    if (known) out->known = known;
    struct part_words *words = realloc(out->words, room * sizeof *words);
    if (words) out->words = words;
    if (!loss || !known || !words) return refuse(why, DPN_ENOMEM, "out of memory");
    out->room = room;
    return DPN_OK;
}

dpn_status composition_add(struct composition *out, const struct part_text *text, dpn_error *why) {
    dpn_status status = make_room(out, why);
    if (status) return status;
    dpn_loss loss;
    dpn_guarantee guarantee;
    struct part_words words = {.kind = text->kind, .times = 1};
    status = text->kind == PART_LAW         ? make_law(&loss, &words.law, text, why)
             : text->kind == PART_GUARANTEE ? make_guarantee(&guarantee, text, why)
                                            : make_epsilon(&loss, text, why);
    if (status) return status;
    dpn_error reason;
    if (text->times && read_count(&words.times, text->times, &reason)) return blame(why, &reason, "times");
    words.number = strdup(text->number);
    if (!words.number) return refuse(why, DPN_ENOMEM, "out of memory");
    if (text->kind == PART_GUARANTEE)
        out->known[out->knowns++] = (dpn_known){guarantee, words.times};
    else
        out->loss[out->losses++] = (dpn_part){loss, words.times};
    out->words[out->parts++] = words;
    return DPN_OK;
}

/* ---- From options ---- */

bool composition_given(const struct arguments *arguments) {
    return arguments_have(arguments, "--law") || arguments_have(arguments, "--pure") ||
           arguments_have(arguments, "--block") || arguments_have(arguments, "--guarantee") ||
           arguments_have(arguments, "--import");
}

bool composition_of_law(const struct arguments *arguments) {
    return arguments->operands == 1 && (arguments_have(arguments, "--times") || arguments_have(arguments, "--export") ||
                                        arguments_have(arguments, "--sample-rate"));
}

/* The part that the options so far describe, if there is one. */
struct pending {
    bool open;
    struct part_text text;
};

static dpn_status finish(struct composition *out, struct pending *pending, dpn_error *why) {
    if (!pending->open) return DPN_OK;
    pending->open = false;
    dpn_error reason;
    dpn_status status = composition_add(out, &pending->text, &reason);
    return status ? refuse(why, status, "--%.230s", reason.sentence) : DPN_OK;
}

static dpn_status begin(struct composition *out, struct pending *pending, struct part_text text, dpn_error *why) {
    dpn_status status = finish(out, pending, why);
    *pending = (struct pending){true, text};
    return status;
}

static dpn_status take_sensitivity(struct pending *pending, const char *value, dpn_error *why) {
    if (!pending->open || pending->text.kind != PART_LAW)
        return refuse(why, DPN_EPARSE, "--sensitivity %.40s belongs to no --law; write it after its --law", value);
    if (pending->text.number)
        return refuse(why, DPN_EPARSE, "--sensitivity is given twice for --law %.80s", pending->text.law);
    pending->text.number = value;
    return DPN_OK;
}

static dpn_status take_times(struct pending *pending, const char *value, dpn_error *why) {
    if (!pending->open)
        return refuse(why, DPN_EPARSE,
                      "--times %.40s belongs to no part; write it after its --law, --pure,"
                      " --block or --guarantee",
                      value);
    if (pending->text.times) return refuse(why, DPN_EPARSE, "--times is given twice for one part");
    pending->text.times = value;
    return DPN_OK;
}

/* A law that stands alone is that of the first part. */
static dpn_status read_options(struct composition *out, const struct arguments *arguments, dpn_error *why) {
    struct pending pending = {0};
    if (arguments->operands) pending = (struct pending){true, {.kind = PART_LAW, .law = arguments->operand[0]}};
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        const char *name = arguments->given[i].option->name, *value = arguments->given[i].value;
        if (strcmp(name, "--law") == 0)
            status = begin(out, &pending, (struct part_text){.kind = PART_LAW, .law = value}, why);
        else if (strcmp(name, "--pure") == 0)
            status = begin(out, &pending, (struct part_text){.kind = PART_PURE, .number = value}, why);
        else if (strcmp(name, "--block") == 0)
            status = begin(out, &pending, (struct part_text){.kind = PART_BLOCK, .number = value}, why);
        else if (strcmp(name, "--guarantee") == 0)
            status = begin(out, &pending, (struct part_text){.kind = PART_GUARANTEE, .number = value}, why);
        else if (strcmp(name, "--sensitivity") == 0)
            status = take_sensitivity(&pending, value, why);
        else if (strcmp(name, "--times") == 0)
            status = take_times(&pending, value, why);
        else if (strcmp(name, "--import") == 0 && !(status = finish(out, &pending, why)))
            status = composition_import(out, value, why);
    }
    return status ? status : finish(out, &pending, why);
}

dpn_status composition_read(struct composition *out, const struct arguments *arguments, dpn_error *why) {
    struct composition read = {0};
    dpn_status status = read_options(&read, arguments, why);
    if (!status && read.parts == 0)
        status = refuse(why, DPN_EPARSE, "--import: '%.80s' holds no part", arguments_value(arguments, "--import"));
    if (status)
        composition_free(&read);
    else
        *out = read;
    return status;
}

/* ---- Telling ---- */

void composition_describe(FILE *out, const struct composition *composition, size_t part) {
    const struct part_words *words = &composition->words[part];
    char text[DPN_LAW_TEXT_SIZE];
    if (words->times > 1) fprintf(out, "%" PRIu64 " times ", words->times);
    switch (words->kind) {
    case PART_LAW:
        fprintf(out, "%s with sensitivity %s", dpn_law_print(text, &words->law), words->number);
        break;
    case PART_PURE:
        fprintf(out, "a mechanism that is %s-differentially private", words->number);
        break;
    case PART_BLOCK:
        fprintf(out, "a block of K-norm noise with epsilon %s", words->number);
        break;
    case PART_GUARANTEE:
        fprintf(out, "a mechanism with the guarantee %s", words->number);
        break;
    }
}

void composition_json(struct json *json, const char *name, const struct composition *composition) {
    json_open_array(json, name);
    for (size_t i = 0; i < composition->parts; i++) {
        const struct part_words *words = &composition->words[i];
        char text[DPN_LAW_TEXT_SIZE];
        double number = NAN;
        if (dpn_number_parse(&number, words->number, NULL)) number = NAN; /* but for a guarantee it was read before */
        json_open_object(json, NULL);
        if (words->kind == PART_LAW) {
            json_string(json, "law", dpn_law_print(text, &words->law));
            json_number(json, "sensitivity", number);
        } else if (words->kind == PART_GUARANTEE) {
            json_string(json, "guarantee", words->number);
        } else {
            json_number(json, part_kind_name(words->kind), number);
        }
        json_count(json, "times", words->times);
        json_close_object(json);
    }
    json_close_array(json);
}
