/* What a model tells of its descent, and of a choice. */
#include "base/text/json.h"

#include <dpnoise/learn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const dpn_json_value *member(const dpn_json *json, const dpn_json_value *object, const char *name) {
    bool twice = false;
    return object && object->kind == DPN_JSON_OBJECT ? dpn_json_member(json, object, name, &twice) : NULL;
}

static const dpn_json_value *element(const dpn_json *json, const dpn_json_value *array, size_t index) {
    if (!array || array->kind != DPN_JSON_ARRAY || index >= array->count) return NULL;
    const dpn_json_value *at = dpn_json_first(array);
    for (size_t i = 0; i < index; i++) at = dpn_json_next(json, at);
    return at;
}

char *dpn_model_chosen(const dpn_model *model) {
    dpn_json json;
    if (!model->releases || dpn_json_read(&json, model->releases, strlen(model->releases), NULL)) return NULL;
    const dpn_json_value *detail = member(&json, element(&json, &json.value[0], 0), "detail");
    const dpn_json_value *chosen = member(&json, detail, "chosen");
    char *text = chosen ? malloc((size_t)chosen->length + 1) : NULL;
    if (text) {
        memcpy(text, json.text + chosen->start, chosen->length);
        text[chosen->length] = '\0';
    }
    dpn_json_free(&json);
    return text;
}

double dpn_model_detail(const dpn_model *model, size_t coefficient, const char *what) {
    dpn_json json;
    double found = NAN;
    if (!model->releases || dpn_json_read(&json, model->releases, strlen(model->releases), NULL)) return NAN;
    const dpn_json_value *value = NULL;
    for (size_t i = 0; !value && element(&json, &json.value[0], i); i++) { /* descent may be one way of several */
        const dpn_json_value *detail = member(&json, element(&json, &json.value[0], i), "detail");
        value = member(&json, element(&json, member(&json, detail, "coordinates"), coefficient), what);
    }
    if (value && value->kind == DPN_JSON_NUMBER && dpn_json_number(&found, &json, value, NULL)) found = NAN;
    dpn_json_free(&json);
    return found;
}
