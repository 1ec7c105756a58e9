# What noise guarantees. Every answer is an interval that contains the true value; its upper end may back a guarantee.

one_of <- function(epsilon, delta) {
  if (is.null(epsilon) == is.null(delta)) stop("give epsilon, to be told delta, or delta, to be told epsilon")
}

dp_profile <- function(law, sensitivity = 1, epsilon = NULL, delta = NULL) {
  one_of(epsilon, delta)
  .Call(C_profile, law, as.double(sensitivity), epsilon, delta)
}

dp_compose <- function(laws, sensitivity = 1, times = 1, epsilon = NULL, delta = NULL) {
  one_of(epsilon, delta)
  n <- length(laws)
  .Call(C_compose, laws, rep_len(as.double(sensitivity), n), rep_len(as.double(times), n), epsilon, delta)
}

dp_training <- function(sigma, rate, steps, epsilon = NULL, delta = NULL) {
  one_of(epsilon, delta)
  n <- length(sigma)
  .Call(C_training, as.double(sigma), rep_len(as.double(rate), n), rep_len(as.double(steps), n), epsilon, delta)
}

dp_calibrate <- function(family, epsilon, delta = 0, sensitivity = 1) {
  .Call(C_calibrate, family, as.double(epsilon), as.double(delta), as.double(sensitivity))
}
