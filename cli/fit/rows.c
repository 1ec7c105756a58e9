/* The rows of `dpnoise fit`. */
#include "fit/fit.h"

#include "kit/progress.h"

dpn_status fit_read(struct fitting *fitting, dpn_error *why) {
    struct progress progress = progress_start("fit", 1);
    dpn_table *table = fitting->release.table;
    const dpn_field *field;
    size_t rows = 1;
    dpn_status status = DPN_OK;
    while (!status && rows > 0) {
        status = dpn_table_next(&field, &rows, table, why);
        if (!status && rows > 0) status = dpn_fit_rows(fitting->fit, field, rows, why);
        progress_share(&progress, dpn_table_progress(table)); /* how many rows there are is private */
    }
    if (!status) status = dpn_fit_unusable(fitting->fit, dpn_table_unusable(table, NULL), why);
    progress_end(&progress);
    return status;
}
