/* The answer of `dpnoise ask`: what an analyst may know, and no file's name. */
#include "ask/ask.h"

#include "kit/json.h"
#include "release/release.h"
#include "release/said.h"

/* What this question cost: nothing, if the asker has paid for the answer before. */
static void json_charge(struct json *json, const dpn_question_standing *standing, bool repeat) {
    static const dpn_charge nothing = {.pure = true};
    char text[DPN_DECIMAL_TEXT_SIZE];
    const dpn_charge *charge = repeat ? &nothing : standing->charge;
    json_open_object(json, "charged");
    if (charge && charge->pure)
        json_string(json, "epsilon", dpn_decimal_print(text, &charge->epsilon));
    else
        json_value(json, "epsilon", "null");
    json_string(json, "delta", charge ? dpn_decimal_print(text, &charge->delta) : "0");
    json_bool(json, "converted", !repeat && standing->converted);
    json_close_object(json);
}

/* What the asker may still spend: of the quota, and of the data set where it is shared. */
static void json_left(struct json *json, const dpn_account *account) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    dpn_remaining left = dpn_filter_remaining(account->filter);
    dpn_decimal epsilon = dpn_filter_largest_pure(account->filter);
    json_open_object(json, "remaining");
    json_string(json, "epsilon", dpn_decimal_print(text, &epsilon));
    json_string(json, "delta", dpn_decimal_print(text, &left.delta));
    json_number(json, "rho", left.rho);
    json_close_object(json);
}

/* What was done to the data before they were summed. */
static void json_said(struct json *json, const struct asking *asking) {
    const dpn_declaration *declaration = dpn_question_declaration(asking->question);
    struct said said = said_of(declaration, dpn_question_query(asking->question), asking->answer);
    said_json(json, &said);
    said_free(&said);
}

void ask_print(const struct asking *asking) {
    const dpn_declaration *declaration = dpn_question_declaration(asking->question);
    dpn_question_standing standing = dpn_question_look(asking->question);
    char head[DPN_HEAD_TEXT_SIZE];
    struct json object = json_begin(stdout);
    json_string(&object, "dataset", asking->dataset);
    json_string(&object, "analyst", asking->analyst);
    if (asking->fit)
        json_value(&object, "model", asking->model);
    else
        release_json_rows(&object, asking->answer, declaration);
    json_string(&object, "epsilon", declaration->epsilon);
    json_string(&object, "delta", declaration->delta ? declaration->delta : "0");
    json_string(&object, "relation", dpn_relation_name(declaration->relation));
    json_string(&object, "unit", dpn_unit_name(declaration->person ? DPN_PERSON : DPN_ROW));
    json_value(&object, "declaration", dpn_question_text(asking->question));
    if (!asking->fit) json_said(&object, asking);
    json_bool(&object, "stored", standing.stored);
    json_bool(&object, "repeat", asking->repeat);
    json_charge(&object, &standing, asking->repeat);
    json_left(&object, standing.quota ? standing.quota : standing.account);
    json_string(&object, "head", dpn_head_print(head, &standing.head));
    json_end(&object);
}
