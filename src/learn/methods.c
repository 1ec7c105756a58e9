/* The methods that a library has. */
#include "learn/method.h"

#include "learn/kit.h"

#include <string.h>

const struct dpn_fit_method *dpn_fit_method_at(size_t index) {
    return index < dpn_fit_kit_here.methods ? dpn_fit_kit_here.method[index] : NULL;
}

const struct dpn_fit_method *dpn_fit_method_find(const char *name) {
    size_t i = 0;
    while (dpn_fit_method_at(i) && strcmp(dpn_fit_method_at(i)->name, name) != 0) i++;
    return dpn_fit_method_at(i);
}

const char *dpn_fit_method_name(size_t index) {
    const struct dpn_fit_method *method = dpn_fit_method_at(index);
    return method ? method->name : NULL;
}

const char *dpn_fit_method_about(size_t index) {
    const struct dpn_fit_method *method = dpn_fit_method_at(index);
    return method ? method->about : NULL;
}

const char *dpn_fit_kind_name(dpn_fit_kind kind) {
    static const char *const names[] = {"linear", "logistic", "quantile"};
    return kind <= DPN_FIT_QUANTILE ? names[kind] : NULL;
}

const char *dpn_fit_accounting_name(dpn_fit_accounting accounting) {
    static const char *const names[] = {"exact", "zcdp", "paper"};
    return accounting <= DPN_FIT_PAPER ? names[accounting] : NULL;
}
