# Laws by their text; and the two families that R lacks under names of R's kind.

#' @noRd
number <- function(x) format(as.numeric(x), digits = 17, scientific = TRUE, trim = TRUE)

dp_law <- function(law, ...) {
  parameters <- list(...)
  if (length(parameters) > 0) {
    law <- paste0(law, "(", paste0(names(parameters), "=", vapply(parameters, number, ""), collapse = ","), ")")
  }
  .Call(C_law_print, law)
}

at <- function(law, what, x) {
  out <- .Call(C_law_at, law, what, as.double(x))
  attributes(out) <- attributes(x)
  out
}

dlaw <- function(x, law, log = FALSE) at(law, if (log) "log_pdf" else "pdf", x)

plaw <- function(q, law, lower.tail = TRUE, log.p = FALSE) {
  at(law, paste0(if (log.p) "log_" else "", if (lower.tail) "cdf" else "sf"), q)
}

qlaw <- function(p, law, lower.tail = TRUE) at(law, if (lower.tail) "quantile" else "isf", p)

rlaw <- function(n, law) {
  if (length(n) > 1) n <- length(n)
  facts <- .Call(C_law_facts, law)
  # As the command `dpnoise sample`: 1 on the integers, else the largest power of two at most 2^-16 of the deviation.
  exponent <- if (facts[3] != 0) 0L else as.integer(floor(log2(sqrt(facts[1])))) - 16L
  .Call(C_law_draw, law, as.double(n), exponent)
}

dflippedhuber <- function(x, alpha, gamma, log = FALSE) dlaw(x, dp_law("flipped-huber", alpha = alpha, gamma = gamma), log)
pflippedhuber <- function(q, alpha, gamma, lower.tail = TRUE, log.p = FALSE) {
  plaw(q, dp_law("flipped-huber", alpha = alpha, gamma = gamma), lower.tail, log.p)
}
qflippedhuber <- function(p, alpha, gamma, lower.tail = TRUE) qlaw(p, dp_law("flipped-huber", alpha = alpha, gamma = gamma), lower.tail)
rflippedhuber <- function(n, alpha, gamma) rlaw(n, dp_law("flipped-huber", alpha = alpha, gamma = gamma))

dosgt <- function(x, m, sigma, log = FALSE) dlaw(x, dp_law("osgt", m = m, sigma = sigma), log)
posgt <- function(q, m, sigma, lower.tail = TRUE, log.p = FALSE) plaw(q, dp_law("osgt", m = m, sigma = sigma), lower.tail, log.p)
qosgt <- function(p, m, sigma, lower.tail = TRUE) qlaw(p, dp_law("osgt", m = m, sigma = sigma), lower.tail)
rosgt <- function(n, m, sigma) rlaw(n, dp_law("osgt", m = m, sigma = sigma))
