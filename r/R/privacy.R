# What noise guarantees. Every answer is an interval that contains the true value; its upper end may back a guarantee.

one_of <- function(epsilon, delta) {
  if (is.null(epsilon) == is.null(delta)) stop("give epsilon, to be told delta, or delta, to be told epsilon")
}

# One for all, or one for each: what is neither would be passed over, and cost nothing.
alike <- function(...) {
  all <- list(...)
  n <- max(lengths(all))
  if (any(lengths(all) != 1 & lengths(all) != n)) stop("give one number for all, or one for each")
  lapply(all, rep_len, n)
}

whole <- function(x, what) {
  x <- as.double(x)
  if (anyNA(x) || any(x < 0 | x != floor(x))) stop(what, " must be whole numbers that are not negative")
  x
}

dp_profile <- function(law, sensitivity = 1, epsilon = NULL, delta = NULL) {
  one_of(epsilon, delta)
  .Call(C_profile, law, as.double(sensitivity), epsilon, delta)
}

dp_compose <- function(laws, sensitivity = 1, times = 1, epsilon = NULL, delta = NULL) {
  one_of(epsilon, delta)
  all <- alike(laws, as.double(sensitivity), whole(times, "times"))
  .Call(C_compose, all[[1]], all[[2]], all[[3]], epsilon, delta)
}

dp_training <- function(sigma, rate, steps, epsilon = NULL, delta = NULL) {
  one_of(epsilon, delta)
  all <- alike(as.double(sigma), as.double(rate), whole(steps, "steps"))
  .Call(C_training, all[[1]], all[[2]], all[[3]], epsilon, delta)
}

dp_calibrate <- function(family, epsilon, delta = 0, sensitivity = 1) {
  .Call(C_calibrate, family, as.double(epsilon), as.double(delta), as.double(sensitivity))
}
