# Private regression with a formula.

fitted_by <- function(formula, data, kind, bounds, target, epsilon, delta, method, ledger, name, relation, settings, fresh) {
  frame <- model.frame(formula, data)
  design <- model.matrix(attr(frame, "terms"), frame)
  constant <- colnames(design) == "(Intercept)"
  x <- design[, !constant, drop = FALSE]
  response <- model.response(frame)
  y <- if (kind == "logistic") as.double(if (is.factor(response)) as.integer(response) == 2 else response != 0) else as.double(response)
  columns <- attr(design, "assign")[!constant]
  labels <- attr(attr(frame, "terms"), "term.labels")
  factors <- vapply(labels, function(label) label %in% names(frame) && !is.numeric(frame[[label]]), NA)
  missing <- setdiff(labels[!factors], names(bounds))
  if (length(missing)) stop("bounds of '", missing[1], "' must be declared: private data are not looked at to find them")
  ends <- rbind(target, t(vapply(columns, function(i) if (factors[i]) c(0, 1) else as.double(bounds[[labels[i]]]), double(2))))
  statistics <- paste0("{\"kind\": \"mean\", \"column\": ", quoted(c("(target)", colnames(x))), ", \"lower\": ",
                       quoted(vapply(ends[, 1], amount, "")), ", \"upper\": ", quoted(vapply(ends[, 2], amount, "")), "}")
  declaration <- paste0("{\"statistics\": [", paste(statistics, collapse = ", "), "], \"relation\": ", quoted(relation),
                        ", \"epsilon\": ", quoted(amount(epsilon)), ", \"delta\": ", quoted(amount(delta)), "}")
  found <- .Call(C_fit, ledger, name, declaration, kind, method, any(constant), t(cbind(y, x)),
                 vapply(settings, as.double, 0), fresh)
  dimnames(found) <- list(c(if (any(constant)) "(Intercept)", colnames(x)), c("value", "low", "high"))
  structure(list(coefficients = found[, 1], table = found[, , drop = FALSE], method = attr(found, "method"),
                 interval = attr(found, "interval"), kind = kind, terms = attr(frame, "terms"), ends = ends,
                 levels = lapply(frame[labels[factors]], levels), epsilon = epsilon, delta = delta, call = sys.call(-1)),
            class = "dp_fit")
}

dp_lm <- function(formula, data, bounds, target, epsilon, delta = 0, method = "auto", ledger = NULL, name = NULL,
                  relation = "add-remove", settings = list(), fresh = FALSE) {
  fitted_by(formula, data, "linear", bounds, as.double(target), epsilon, delta, method, ledger, name, relation, settings, fresh)
}

dp_glm <- function(formula, data, bounds, epsilon, delta = 0, method = "auto", ledger = NULL, name = NULL,
                   relation = "add-remove", settings = list(), fresh = FALSE) {
  fitted_by(formula, data, "logistic", bounds, c(0, 1), epsilon, delta, method, ledger, name, relation, settings, fresh)
}

dp_rq <- function(formula, data, bounds, target, epsilon, tau = 0.5, delta = 0, method = "auto", ledger = NULL, name = NULL,
                  relation = "add-remove", settings = list(), fresh = FALSE) {
  fitted_by(formula, data, "quantile", bounds, as.double(target), epsilon, delta, method, ledger, name, relation,
            c(list(quantile = tau), settings), fresh)
}

coef.dp_fit <- function(object, ...) object$coefficients

print.dp_fit <- function(x, ...) {
  cat("Private", x$kind, "fit by", x$method, "at epsilon", amount(x$epsilon), "and delta", amount(x$delta), "\n")
  print(matrix(x$table, nrow = nrow(x$table), dimnames = dimnames(x$table)))
  if (nzchar(x$interval)) cat("low and high: 95% intervals that account for the ", x$interval, "\n", sep = "")
  invisible(x)
}

predict.dp_fit <- function(object, newdata, ...) {
  design <- model.matrix(stats::delete.response(object$terms), newdata, xlev = object$levels)
  x <- design[, colnames(design) != "(Intercept)", drop = FALSE]
  for (j in seq_len(ncol(x))) x[, j] <- pmin(pmax(x[, j], object$ends[j + 1, 1]), object$ends[j + 1, 2])
  constant <- if ("(Intercept)" %in% names(object$coefficients)) object$coefficients[["(Intercept)"]] else 0
  line <- drop(x %*% object$coefficients[colnames(x)]) + constant
  if (object$kind == "logistic") 1 / (1 + exp(-line)) else pmin(pmax(line, object$ends[1, 1]), object$ends[1, 2])
}
