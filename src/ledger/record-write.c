/* Entries become text. */
#include "ledger/record.h"

#include "base/text/json-write.h"

#include <stdio.h>

const char *dpn_entry_kind_name(dpn_entry_kind kind) {
    static const char *const names[] = {"ledger", "budget",       "alias",   "charge",
                                        "quota",  "registration", "renewal", "source"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* Our names hold nothing to escape. */
static void name(dpn_text *out, const char *member) {
    dpn_text_put(out, ", \"");
    dpn_text_put(out, member);
    dpn_text_put(out, "\": ");
}

static void string(dpn_text *out, const char *member, const char *value) {
    name(out, member);
    dpn_text_quote(out, value);
}

static void optional(dpn_text *out, const char *member, const char *value) {
    string(out, member, value[0] ? value : NULL);
}

static void decimal(dpn_text *out, const char *member, const dpn_decimal *value) {
    name(out, member);
    dpn_text_decimal(out, value);
}

static void count(dpn_text *out, const char *member, uint64_t value) {
    char text[24];
    name(out, member);
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    dpn_text_put(out, text);
}

static void numbers(dpn_text *out, const char *member, const double *value, size_t count) {
    name(out, member);
    for (size_t i = 0; i < count; i++) {
        dpn_text_put(out, i ? ", " : "[");
        dpn_text_number(out, value[i]);
    }
    dpn_text_put(out, count ? "]" : "[]");
}

static void write_budget(dpn_text *out, const dpn_record *record) {
    const dpn_filter_terms *plan = &record->filter;
    decimal(out, "epsilon", &plan->epsilon);
    decimal(out, "delta", &plan->delta);
    decimal(out, "delta_renyi", &plan->delta_renyi);
    if (!dpn_decimal_is_zero(&plan->delta_first)) decimal(out, "delta_first", &plan->delta_first);
    numbers(out, "orders", plan->order, plan->orders);
    name(out, "weights");
    for (size_t i = 0; i < plan->orders; i++) {
        dpn_text_put(out, i ? ", " : "[");
        dpn_text_decimal(out, &plan->weight[i]);
    }
    dpn_text_put(out, plan->orders ? "]" : "[]");
}

static void pure_epsilon(dpn_text *out, const dpn_charge *charge) {
    if (charge->pure)
        decimal(out, "epsilon", &charge->epsilon);
    else
        string(out, "epsilon", NULL);
    decimal(out, "delta", &charge->delta);
}

static void write_charge(dpn_text *out, const dpn_record *record) {
    const dpn_entry_fields *entry = &record->entry;
    pure_epsilon(out, &entry->charge);
    numbers(out, "divergence", entry->charge.divergence, entry->orders);
    if (entry->with) count(out, "with", entry->with); /* these two are a quota's alone */
    if (entry->reuse) count(out, "reuse", entry->reuse);
    name(out, "asked");
    if (entry->converted) {
        dpn_text_put(out, "{\"relation\": ");
        dpn_text_quote(out, dpn_relation_name(DPN_ADD_REMOVE));
        pure_epsilon(out, &record->asked);
        dpn_text_put(out, "}");
    } else {
        dpn_text_put(out, "null");
    }
    optional(out, "specification", entry->specification);
    optional(out, "note", entry->note);
    name(out, "plan");
    dpn_text_put(out, record->plan_text ? record->plan_text : "null");
}

static void write_registration(dpn_text *out, const dpn_record *record) {
    count(out, "version", record->entry.version);
    optional(out, "note", record->entry.note);
    name(out, "registration");
    dpn_text_put(out, record->plan_text);
}

void dpn_record_write(dpn_text *out, const dpn_record *record) {
    const dpn_entry_fields *entry = &record->entry;
    dpn_text_put(out, "{\"kind\": ");
    dpn_text_quote(out, dpn_entry_kind_name(entry->kind));
    string(out, "time", entry->time);
    optional(out, "user", entry->user);
    if (entry->kind == DPN_ENTRY_LEDGER) {
        string(out, "identity", record->identity);
    } else {
        string(out, "name", entry->name);
        if (dpn_kind_has_of(entry->kind)) string(out, "of", entry->of);
    }
    if (dpn_kind_has_filter(entry->kind) || entry->kind == DPN_ENTRY_CHARGE) {
        string(out, "relation", dpn_relation_name(entry->relation));
        string(out, "unit", dpn_unit_name(entry->unit));
    }
    if (dpn_kind_has_filter(entry->kind)) write_budget(out, record);
    if (entry->kind == DPN_ENTRY_CHARGE) write_charge(out, record);
    if (entry->kind == DPN_ENTRY_REGISTRATION) write_registration(out, record);
    if (entry->kind == DPN_ENTRY_RENEWAL) string(out, "note", entry->note);
    if (entry->kind == DPN_ENTRY_SOURCE) {
        if (entry->version) count(out, "version", entry->version); /* beside a registration alone */
        name(out, "source");
        dpn_text_put(out, record->plan_text);
    }
    dpn_text_put(out, "}");
}
