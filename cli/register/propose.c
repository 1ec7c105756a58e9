/* dpnoise register --propose: what the columns look like, as options for the curator to edit. Bounds are left open: those of the
 * data tell who is the oldest and who earns most. */
#define _POSIX_C_SOURCE 200809L
#include "register/register.h"

#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/json.h"
#include "kit/plain.h"

#include <dpnoise/number.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 20, LONGEST_LEVEL = 100 };

struct guess {
    bool number, category; /* all fields so far could be */
    bool seen;
    char *level[MOST_LEVELS];
    size_t levels;
};

static void take_level(struct guess *guess, const dpn_field *field) {
    for (size_t i = 0; i < guess->levels; i++)
        if (strlen(guess->level[i]) == field->length && memcmp(guess->level[i], field->text, field->length) == 0)
            return;
    char *copy =
        guess->levels < MOST_LEVELS && field->length <= LONGEST_LEVEL ? strndup(field->text, field->length) : NULL;
    if (copy)
        guess->level[guess->levels++] = copy;
    else
        guess->category = false;
}

static void look_at(struct guess *guess, const dpn_field *field) {
    char text[64];
    double x;
    if (!field->text || field->length == 0) return;
    guess->seen = true;
    if (guess->number) {
        bool fits = field->length < sizeof text;
        memcpy(text, field->text, fits ? field->length : 0);
        text[fits ? field->length : 0] = '\0';
        guess->number = dpn_number_parse(&x, text, NULL) == DPN_OK;
    }
    if (guess->category) take_level(guess, field);
}

static const char *type_of(const struct guess *guess) {
    return !guess->seen ? "text" : guess->number ? "number" : guess->category ? "category" : "text";
}

/* A word as the options take it, within the single quotes of a shell. */
static void print_word(const char *word) {
    bool quoted = !word[0] || strpbrk(word, ",:=\"@ \t") != NULL;
    if (quoted) putchar('"');
    for (; *word; word++) {
        if (*word == '"') putchar('"');
        if (*word == '\'')
            fputs("'\\''", stdout);
        else
            putchar((unsigned char)*word < 0x20 || *word == 0x7f ? '?' : *word);
    }
    if (quoted) putchar('"');
}

static void print_option(const char *name, const struct guess *guess) {
    const char *type = type_of(guess);
    printf("  --%s '", type);
    print_word(name);
    if (strcmp(type, "number") == 0) fputs(":LOWER:UPPER", stdout);
    for (size_t i = 0; strcmp(type, "category") == 0 && i < guess->levels; i++) {
        putchar(i ? ',' : '=');
        print_word(guess->level[i]);
    }
    puts("' \\");
}

static void print_text(const struct registering *registering, const struct guess *guess) {
    printf("dpnoise register '");
    print_plain(stdout, registering->name);
    puts("' DATA \\");
    for (size_t i = 0; dpn_table_column(registering->table, i); i++)
        print_option(dpn_table_column(registering->table, i), &guess[i]);
    puts("  --where-columns COLUMNS --person-id COLUMN --epsilon EPSILON");
    puts("LOWER and UPPER are yours to say: what is possible, not what is in the data.\n"
         "ATTENTION: these levels and types come FROM THE DATA. Keep those that everybody\n"
         "may know, correct the others; a column that tells persons apart is --person-id.\n"
         "This is for the curator: it is not private.");
}

static void print_json(const struct registering *registering, const struct guess *guess) {
    struct json object = json_begin(stdout);
    json_bool(&object, "private", false);
    json_string(&object, "name", registering->name);
    json_open_array(&object, "columns");
    for (size_t i = 0; dpn_table_column(registering->table, i); i++) {
        json_open_object(&object, NULL);
        json_string(&object, "name", dpn_table_column(registering->table, i));
        json_string(&object, "type", type_of(&guess[i]));
        if (strcmp(type_of(&guess[i]), "category") == 0) {
            json_open_array(&object, "levels_in_the_data");
            for (size_t j = 0; j < guess[i].levels; j++) json_string(&object, NULL, guess[i].level[j]);
            json_close_array(&object);
        }
        json_close_object(&object);
    }
    json_close_array(&object);
    json_end(&object);
}

dpn_status register_propose(struct registering *registering, dpn_error *why) {
    size_t columns = dpn_table_columns(registering->table);
    struct guess *guess = calloc(columns + 1, sizeof *guess);
    const dpn_field *field;
    dpn_status status = guess ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < columns && !status; i++) guess[i].number = guess[i].category = true;
    for (size_t rows = 1; rows > 0 && !status;) {
        status = dpn_table_next(&field, &rows, registering->table, why);
        for (size_t i = 0; !status && i < rows * columns; i++) look_at(&guess[i % columns], &field[i]);
    }
    if (!status && arguments_have(registering->arguments, "--json")) print_json(registering, guess);
    if (!status && !arguments_have(registering->arguments, "--json")) print_text(registering, guess);
    for (size_t i = 0; guess && i < columns; i++)
        for (size_t j = 0; j < guess[i].levels; j++) free(guess[i].level[j]);
    free(guess);
    return status;
}
