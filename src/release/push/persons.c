/* The lottery in SQL: SHA-256 of the same bytes, and windows over the digests. */
#include "release/push/persons.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Names of columns ---- */

static void put_list(dpn_text *out, const char *form, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, form, i);
        dpn_text_put(out, ", ");
        dpn_text_put(out, name);
    }
}

static void put_record(dpn_text *out, const dpn_push *push) {
    put_list(out, "dpn_m%zu", push->query->measures);
    put_list(out, "dpn_b%zu", push->reader.edge_sets);
    if (push->query->declaration.count_left_out) dpn_text_put(out, ", dpn_u");
}

/* ---- Bytes ---- */

static void put_joined(dpn_text *out, const dpn_push *push) {
    dpn_text_put(out, push->dialect->joined);
}

static void put_hex(dpn_text *out, const dpn_push *push, const unsigned char *bytes, size_t count) {
    char digits[160];
    for (size_t i = 0; i < count; i++) snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
    dpn_sql_put(out, push->dialect->hex, digits, NULL);
}

/* A field of the digest has its length before it, 8 bytes with the lowest first. */
static void put_constant(dpn_text *out, const dpn_push *push, const unsigned char *bytes, size_t count) {
    unsigned char field[8 + 64] = {(unsigned char)count};
    memcpy(field + 8, bytes, count);
    put_hex(out, push, field, 8 + count);
}

static void put_word(dpn_text *out, const dpn_push *push, const char *number) {
    put_joined(out, push);
    dpn_sql_put(out, push->dialect->word, number, NULL);
}

static void put_text_field(dpn_text *out, const dpn_push *push, const char *name) {
    const char *form =
        push->options->dialect == DPN_DIALECT_CLICKHOUSE ? "length(%s)" : "CAST(octet_length(%s) AS BIGINT)";
    dpn_text bytes = {0}, length = {0};
    dpn_sql_put(&bytes, push->dialect->as_bytes, name, NULL);
    if (!bytes.failed) dpn_sql_put(&length, form, bytes.at, NULL);
    if (bytes.failed || length.failed) {
        out->failed = true;
    } else {
        put_word(out, push, length.at);
        put_joined(out, push);
        dpn_text_put(out, bytes.at);
    }
    free(bytes.at);
    free(length.at);
}

static void put_ticket(dpn_text *out, const dpn_push *push, const char *what) {
    put_constant(out, push, (const unsigned char *)what, strlen(what));
    put_joined(out, push);
    put_constant(out, push, push->options->secret->byte, DPN_TALLY_SECRET_SIZE);
    put_text_field(out, push, "dpn_p");
    for (size_t i = 0; i < push->query->declaration.bys; i++) {
        char name[32];
        snprintf(name, sizeof name, "dpn_k%zu", i);
        put_text_field(out, push, name);
    }
}

static void put_digest(dpn_text *out, const dpn_push *push, dpn_text *bytes, const char *name) {
    if (bytes->failed)
        out->failed = true;
    else
        dpn_sql_put(out, push->dialect->digest, bytes->at, NULL);
    dpn_text_put(out, name);
    free(bytes->at);
}

static void put_group_lot(dpn_text *out, const dpn_push *push) {
    dpn_text bytes = {0};
    put_ticket(&bytes, push, "group");
    put_digest(out, push, &bytes, " AS dpn_g");
}

static void put_row_lot(dpn_text *out, const dpn_push *push) {
    dpn_text bytes = {0};
    char count[32], name[64];
    size_t left_out = push->query->declaration.count_left_out;
    put_ticket(&bytes, push, "row");
    snprintf(count, sizeof count, "%zu", 8 * (push->query->measures + push->reader.edge_sets + left_out));
    put_word(&bytes, push, count);
    for (size_t i = 0; i < push->query->measures + push->reader.edge_sets; i++) {
        bool measure = i < push->query->measures;
        snprintf(name, sizeof name, measure ? "CAST(dpn_m%zu AS BIGINT)" : "CAST(dpn_b%zu AS BIGINT)",
                 measure ? i : i - push->query->measures);
        put_word(&bytes, push, name);
    }
    if (left_out) put_word(&bytes, push, "CAST(1 - dpn_u AS BIGINT)");
    put_word(&bytes, push, "8");
    put_word(&bytes, push, "dpn_c");
    put_digest(out, push, &bytes, " AS dpn_l");
}

/* ---- Around the records ---- */

/* dpn_d: the places of groups and rows; dpn_copies: copies are numbered; dpn_lots: lots. */
void dpn_persons_open(dpn_text *out, const dpn_push *push) {
    dpn_text_put(out, "(SELECT dpn_lots.*, dense_rank() OVER (PARTITION BY dpn_p ORDER BY dpn_g) AS dpn_q,\n"
                      "    row_number() OVER (PARTITION BY dpn_p");
    put_list(out, "dpn_k%zu", push->query->declaration.bys);
    dpn_text_put(out, " ORDER BY dpn_l) AS dpn_r\n  FROM (SELECT dpn_copies.*, ");
    put_group_lot(out, push);
    dpn_text_put(out, ",\n    ");
    put_row_lot(out, push);
    dpn_text_put(out, "\n  FROM (SELECT dpn_b.*, row_number() OVER (PARTITION BY dpn_p");
    put_list(out, "dpn_k%zu", push->query->declaration.bys);
    put_record(out, push);
    dpn_text_put(out, ") - 1 AS dpn_c\n  FROM ");
}

void dpn_persons_close(dpn_text *out, const dpn_push *push) {
    char limits[128];
    const dpn_declaration *declaration = &push->query->declaration;
    snprintf(limits, sizeof limits, ") dpn_copies) dpn_lots) dpn_d\nWHERE dpn_q <= %" PRIu64 " AND dpn_r <= %" PRIu64,
             declaration->max_groups, declaration->max_rows);
    dpn_text_put(out, limits);
}
