/* Registrations and declarations in tests. */
#include "unit/question/registered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

const char registered_people[] =
    "{'source': {'kind': 'file', 'path': '/data/people.csv'}, 'columns': [{'name': 'income', 'type': 'number', "
    "'lower': "
    "'0', 'upper': '200000', 'unit': 'EUR'}, {'name': 'age', 'type': 'number', 'lower': '0', 'upper': '120'}, {'name': "
    "'region', 'type': 'category', 'levels': ['north', 'south']}, {'name': 'education', 'type': 'category'}, {'name': "
    "'note', 'type': 'text'}], 'where': ['region', 'income'], 'person': 'id', 'max_rows': '5', 'max_groups': '3', "
    "'relation': 'replace', 'multiline': true, 'population': '100000', 'least_epsilon': '0.001', 'most_epsilon': '1', "
    "'most_delta': '0.00001', 'memory': '1073741824', 'log': '/data/people.log'}";

char *registered_quotes(char out[REGISTERED_SIZE], const char *json) {
    assert_true(strlen(json) < REGISTERED_SIZE);
    strcpy(out, json);
    for (char *at = out; *at; at++)
        if (*at == '\'') *at = '"';
    return out;
}

dpn_registration registered_read(const char *json) {
    char text[REGISTERED_SIZE];
    dpn_registration out;
    dpn_error why;
    registered_quotes(text, json);
    if (dpn_registration_read(&out, text, strlen(text), &why)) fail_msg("%s: %s", json, why.sentence);
    return out;
}

dpn_declaration registered_question(const char *json) {
    char text[REGISTERED_SIZE];
    dpn_declaration out;
    dpn_error why;
    registered_quotes(text, json);
    if (dpn_declaration_read(&out, text, strlen(text), &why)) fail_msg("%s: %s", json, why.sentence);
    return out;
}
