# Private statistics of a data frame.

# A text as JSON.
quoted <- function(x) {
  x <- enc2utf8(as.character(x))
  x <- gsub("\\", "\\\\", x, fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  paste0("\"", gsub("[[:cntrl:]]", "?", x), "\"")
}

bounded <- function(kind, said) {
  vapply(names(said), function(column) {
    bounds <- said[[column]]
    paste0("{\"kind\": \"", kind, "\", \"column\": ", quoted(column), ", \"lower\": ", quoted(amount(bounds[1])),
           ", \"upper\": ", quoted(amount(bounds[2])), "}")
  }, "")
}

# Edges of the bins of each column.
edged <- function(said) {
  vapply(names(said), function(column) {
    paste0("{\"kind\": \"histogram\", \"column\": ", quoted(column), ", \"edges\": [",
           paste(quoted(vapply(said[[column]], amount, "")), collapse = ", "), "]}")
  }, "")
}

# The quantile, the bounds and perhaps the step of each column.
ranked <- function(said) {
  vapply(names(said), function(column) {
    numbers <- quoted(vapply(said[[column]], amount, ""))
    paste0("{\"kind\": \"quantile\", \"column\": ", quoted(column), paste0(", \"", c("quantile", "lower", "upper", "step")[seq_along(numbers)],
           "\": ", numbers, collapse = ""), "}")
  }, "")
}

dp_release <- function(data, ledger, name, epsilon, delta = 0, count = FALSE, sum = list(), mean = list(),
                       variance = list(), histogram = list(), quantile = list(), by = list(), where = character(),
                       person = NULL, max_rows = NULL, max_groups = NULL, relation = "add-remove", fresh = FALSE) {
  statistics <- c(if (count) "{\"kind\": \"count\"}", bounded("sum", sum), bounded("mean", mean), bounded("variance", variance),
                  edged(histogram), ranked(quantile))
  groups <- vapply(names(by), function(column) {
    paste0("{\"column\": ", quoted(column), ", \"levels\": [", paste(quoted(by[[column]]), collapse = ", "), "]}")
  }, "")
  question <- paste0("{\"statistics\": [", paste(statistics, collapse = ", "), "]",
                     if (length(groups)) paste0(", \"by\": [", paste(groups, collapse = ", "), "]"),
                     if (length(where)) paste0(", \"where\": [", paste(quoted(where), collapse = ", "), "]"),
                     if (!is.null(person)) paste0(", \"person\": ", quoted(person)),
                     if (!is.null(max_rows)) paste0(", \"max_rows\": ", quoted(amount(max_rows))),
                     if (!is.null(max_groups)) paste0(", \"max_groups\": ", quoted(amount(max_groups))),
                     ", \"relation\": ", quoted(relation), ", \"epsilon\": ", quoted(amount(epsilon)), ", \"delta\": ",
                     quoted(amount(delta)), "}")
  columns <- lapply(as.list(data), function(column) {
    if (is.numeric(column) && !is.factor(column)) as.double(column) else as.character(column)
  })
  found <- .Call(C_release, ledger, name, question, columns, fresh)
  groups <- length(found[[3]]) / length(found[[2]])
  keys <- if (length(by)) as.data.frame(matrix(found[[1]], ncol = length(by), byrow = TRUE, dimnames = list(NULL, names(by))))
  each <- rep(seq_len(groups), each = length(found[[2]]))
  out <- data.frame(statistic = rep(found[[2]], groups), value = found[[3]], low = found[[4]], high = found[[5]])
  if (!is.null(keys)) out <- cbind(keys[each, , drop = FALSE], out)
  rownames(out) <- NULL
  structure(out, class = c("dp_release", "data.frame"))
}

print.dp_release <- function(x, ...) {
  print.data.frame(x, ...)
  cat("low and high: 95% intervals of the rows' statistics after clamping\n")
  invisible(x)
}
