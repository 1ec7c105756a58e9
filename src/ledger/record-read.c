/* Text becomes entries again. Nothing is guessed: what the writer would not write is refused. */
#include "ledger/record.h"

#include "base/error.h"
#include "base/text/json.h"

#include <string.h>

/* The object that is read, and the first thing that went wrong. Its members come in the order in which we write them, unless somebody else
 * wrote it: `next` is then the name of the one that is expected, and NULL if they are searched for. */
typedef struct reader {
    const dpn_json *json;
    const dpn_json_value *object, *next;
    uint32_t left; /* how many come from `next` on */
    dpn_status status;
    dpn_error *why;
} reader;

static bool is_next(const reader *r, const char *name) {
    return r->left > 0 && r->next->length == strlen(name) &&
           memcmp(r->json->text + r->next->start, name, r->next->length) == 0;
}

static const dpn_json_value *take_next(reader *r) {
    const dpn_json_value *value = dpn_json_next(r->json, r->next);
    r->next = dpn_json_next(r->json, value);
    r->left--;
    return value;
}

static const dpn_json_value *member(reader *r, const char *name) {
    if (r->status) return NULL;
    if (r->next && is_next(r, name)) return take_next(r);
    bool twice = false;
    const dpn_json_value *value = r->next ? NULL : dpn_json_member(r->json, r->object, name, &twice);
    if (!value || twice) {
        r->status = dpn_fail(r->why, DPN_EPARSE, "the entry has %s '%s'", twice ? "two members" : "no member", name);
        return NULL;
    }
    return value;
}

static void string(reader *r, char *out, size_t size, const char *name) {
    const dpn_json_value *value = member(r, name);
    if (value) r->status = dpn_json_string(out, size, r->json, value, r->why);
}

/* null stands for an empty text. */
static void optional(reader *r, char *out, size_t size, const char *name) {
    const dpn_json_value *value = member(r, name);
    out[0] = '\0';
    if (value && value->kind != DPN_JSON_NULL) r->status = dpn_json_string(out, size, r->json, value, r->why);
}

static void decimal_of(reader *r, dpn_decimal *out, const dpn_json_value *value) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    if (!r->status) r->status = dpn_json_string(text, sizeof text, r->json, value, r->why);
    if (!r->status) r->status = dpn_decimal_parse(out, text, r->why);
}

static void decimal(reader *r, dpn_decimal *out, const char *name) {
    const dpn_json_value *value = member(r, name);
    if (value) decimal_of(r, out, value);
}

/* A whole number, from 1; a double holds it. */
static void count(reader *r, uint64_t *out, const char *name) {
    double said = 0;
    const dpn_json_value *value = member(r, name);
    if (value) r->status = dpn_json_number(&said, r->json, value, r->why);
    if (!r->status && !(said >= 1 && said <= 0x1p53 && said == (double)(uint64_t)said))
        r->status = dpn_fail(r->why, DPN_EPARSE, "'%s' must be a whole number", name);
    if (!r->status) *out = (uint64_t)said;
}

/* Members that not all entries have. */
static bool has(const reader *r, const char *name) {
    bool twice = false;
    if (r->next) return !r->status && is_next(r, name);
    return !r->status && (dpn_json_member(r->json, r->object, name, &twice) || twice);
}

/* The same, and 0 if there is no such member. */
static void optional_count(reader *r, uint64_t *out, const char *name) {
    if (has(r, name)) count(r, out, name);
}

/* The first element of an array of at most DPN_FILTER_ORDERS. */
static const dpn_json_value *list(reader *r, const char *name, size_t *count) {
    const dpn_json_value *value = member(r, name);
    *count = 0;
    if (!value) return NULL;
    if (value->kind != DPN_JSON_ARRAY || value->count > DPN_FILTER_ORDERS) {
        r->status = dpn_fail(r->why, DPN_EPARSE, "'%s' must be a list of at most %d", name, DPN_FILTER_ORDERS);
        return NULL;
    }
    *count = value->count;
    return value->count ? dpn_json_first(value) : NULL;
}

static void numbers(reader *r, double *out, size_t *count, const char *name) {
    const dpn_json_value *value = list(r, name, count);
    for (size_t i = 0; i < *count && !r->status; i++) {
        r->status = dpn_json_number(&out[i], r->json, value, r->why);
        if (i + 1 < *count) value = dpn_json_next(r->json, value);
    }
}

/* Which of two words. */
static bool second(reader *r, const char *name, const char *first_word, const char *second_word) {
    char text[16] = "";
    string(r, text, sizeof text, name);
    bool is_second = strcmp(text, second_word) == 0;
    if (!r->status && !is_second && strcmp(text, first_word) != 0)
        r->status = dpn_fail(r->why, DPN_EPARSE, "'%s' must be %s or %s", name, first_word, second_word);
    return is_second;
}

static void read_neighbours(reader *r, dpn_entry_fields *entry) {
    entry->relation = second(r, "relation", "replace", "add-remove") ? DPN_ADD_REMOVE : DPN_REPLACE;
    entry->unit = second(r, "unit", "row", "person") ? DPN_PERSON : DPN_ROW;
}

static void read_budget(reader *r, dpn_record *record) {
    dpn_filter_terms *plan = &record->filter;
    size_t weights = 0;
    *plan = (dpn_filter_terms){0};
    decimal(r, &plan->epsilon, "epsilon");
    decimal(r, &plan->delta, "delta");
    decimal(r, &plan->delta_renyi, "delta_renyi");
    if (has(r, "delta_first")) decimal(r, &plan->delta_first, "delta_first");
    numbers(r, plan->order, &plan->orders, "orders");
    const dpn_json_value *value = list(r, "weights", &weights);
    for (size_t i = 0; i < weights && !r->status; i++) {
        decimal_of(r, &plan->weight[i], value);
        if (i + 1 < weights) value = dpn_json_next(r->json, value);
    }
    if (!r->status && weights != plan->orders)
        r->status = dpn_fail(r->why, DPN_EPARSE, "there must be a weight for each order");
}

static void read_charge(reader *r, dpn_record *record) {
    dpn_entry_fields *entry = &record->entry;
    const dpn_json_value *epsilon = member(r, "epsilon");
    entry->charge.pure = epsilon && epsilon->kind != DPN_JSON_NULL;
    if (entry->charge.pure) decimal_of(r, &entry->charge.epsilon, epsilon);
    decimal(r, &entry->charge.delta, "delta");
    numbers(r, entry->charge.divergence, &entry->orders, "divergence");
    optional_count(r, &entry->with, "with");
    optional_count(r, &entry->reuse, "reuse");
    const dpn_json_value *asked = member(r, "asked");
    entry->converted = asked && asked->kind == DPN_JSON_OBJECT;
    optional(r, entry->specification, sizeof entry->specification, "specification");
    optional(r, entry->note, sizeof entry->note, "note");
    const dpn_json_value *plan = member(r, "plan");
    if (plan && plan->kind != DPN_JSON_NULL) {
        bool quoted = plan->kind == DPN_JSON_STRING; /* its text is without the quotes */
        record->plan_at = plan->start - quoted;
        entry->plan_length = plan->length + 2u * quoted;
    }
}

/* A text of others, within that of the record. */
static void read_object(reader *r, dpn_record *record, const char *name) {
    const dpn_json_value *text = member(r, name);
    if (text && text->kind != DPN_JSON_OBJECT)
        r->status = dpn_fail(r->why, DPN_EPARSE, "a %s must be a JSON object", name);
    if (r->status) return;
    record->plan_at = text->start;
    record->entry.plan_length = text->length;
}

static void read_registration(reader *r, dpn_record *record) {
    count(r, &record->entry.version, "version");
    optional(r, record->entry.note, sizeof record->entry.note, "note");
    read_object(r, record, "registration");
}

static void read_kind(reader *r, dpn_entry_fields *entry) {
    char word[16] = "";
    string(r, word, sizeof word, "kind");
    for (int kind = DPN_ENTRY_LEDGER; kind <= DPN_ENTRY_SOURCE && !r->status; kind++) {
        entry->kind = (dpn_entry_kind)kind;
        if (strcmp(word, dpn_entry_kind_name(entry->kind)) == 0) return;
    }
    if (!r->status) r->status = dpn_fail(r->why, DPN_EPARSE, "there is no kind of entry '%s'", word);
}

static void read_members(dpn_record *out, reader *r) {
    dpn_entry_fields *entry = &out->entry;
    dpn_record_clear(out);
    read_kind(r, entry);
    string(r, entry->time, sizeof entry->time, "time");
    optional(r, entry->user, sizeof entry->user, "user");
    if (entry->kind == DPN_ENTRY_LEDGER)
        string(r, out->identity, sizeof out->identity, "identity");
    else
        string(r, entry->name, sizeof entry->name, "name");
    if (dpn_kind_has_of(entry->kind)) string(r, entry->of, sizeof entry->of, "of");
    if (dpn_kind_has_filter(entry->kind) || entry->kind == DPN_ENTRY_CHARGE) read_neighbours(r, entry);
    if (dpn_kind_has_filter(entry->kind)) read_budget(r, out);
    if (entry->kind == DPN_ENTRY_CHARGE) read_charge(r, out);
    if (entry->kind == DPN_ENTRY_REGISTRATION) read_registration(r, out);
    if (entry->kind == DPN_ENTRY_RENEWAL) string(r, entry->note, sizeof entry->note, "note");
    if (entry->kind == DPN_ENTRY_SOURCE) {
        optional_count(r, &entry->version, "version");
        read_object(r, out, "source");
    }
}

/* In the order in which we write: members that are asked for once each, with none left over, cannot be there twice. Whatever else comes
 * is searched for every member. */
dpn_status dpn_record_read(dpn_record *out, const char *text, size_t length, dpn_error *why) {
    dpn_json json;
    dpn_status status = dpn_json_read(&json, text, length, why);
    if (status) return status;
    const dpn_json_value *object = &json.value[0];
    reader ordered = {&json, object, object + 1, object->count, DPN_OK, why};
    reader searched = {&json, object, NULL, 0, DPN_OK, why};
    if (object->kind != DPN_JSON_OBJECT) {
        status = dpn_fail(why, DPN_EPARSE, "an entry must be an object");
    } else {
        read_members(out, &ordered);
        if (ordered.status || ordered.left > 0) {
            read_members(out, &searched);
            status = searched.status;
        }
    }
    dpn_json_free(&json);
    return status;
}
