library(dpnoise)
near <- function(a, b, by) stopifnot(all(abs(a - b) <= by))

# Laws: formulas that R has itself.
x <- c(-2, 0, 1.5)
near(dlaw(x, dp_law("gaussian", sigma = 2)), dnorm(x, sd = 2), 1e-15)
near(plaw(x, "laplace(scale=1)"), ifelse(x < 0, exp(x) / 2, 1 - exp(-x) / 2), 1e-15)
near(pflippedhuber(qflippedhuber(0.3, 3, 1), 3, 1), 0.3, 1e-12)
near(dosgt(0, 3, 6.3, log = TRUE), log(dosgt(0, 3, 6.3)), 1e-14)
draws <- rflippedhuber(1e5, 3, 1)
near(mean(draws > 0.5), pflippedhuber(0.5, 3, 1, lower.tail = FALSE), 6 * sqrt(0.1 / 1e5)) # six standard errors
stopifnot(inherits(try(dp_law("gausian(sigma=1)"), silent = TRUE), "try-error"))

# Accounting: the Gaussian by its formula, a training run by a known number.
mu <- 1
near(dp_profile("gaussian(sigma=1)", epsilon = 1)["upper"], pnorm(mu / 2 - 1 / mu) - exp(1) * pnorm(-mu / 2 - 1 / mu), 1e-10)
near(dp_compose("gaussian(sigma=10)", times = 100, epsilon = 1)["upper"], dp_profile("gaussian(sigma=1)", epsilon = 1)["upper"], 1e-6)
near(dp_training(1, 0.01, 1000, delta = 1e-6)["upper"], 2.12451, 1e-5)
near(dp_calibrate("laplace", 0.5)$mse, 8, 1e-9)

# Nothing that is said is passed over: of two numbers for one law both count, and what does not fit is refused.
near(dp_compose("laplace(scale=10)", times = c(10, 20), delta = 0)["upper"], 3, 1e-9)
near(dp_compose("laplace(scale=10)", sensitivity = c(1, 2, 3), delta = 0)["upper"], 0.6, 1e-9)
near(dp_training(1, 0.01, c(400, 600), delta = 1e-6)["upper"], 2.12451, 1e-4)
refused <- function(expression) stopifnot(inherits(try(expression, silent = TRUE), "try-error"))
refused(dp_profile("laplace(scale=1)", sensitivity = c(1, 1), epsilon = 1))
refused(dp_profile("laplace(scale=1)", epsilon = c(1, 2)))
refused(dp_compose(c("laplace(scale=1)", "laplace(scale=2)"), times = c(1, 2, 3), delta = 0))
refused(dp_compose("laplace(scale=1)", times = 0.5, delta = 0))
refused(dp_compose("laplace(scale=1)", times = -1, delta = 0))
refused(dp_training(1, 0.01, NA, delta = 1e-6))

# Budgets.
ledger <- dp_ledger(tempfile(fileext = ".db"), create = TRUE)
dp_budget(ledger, "people", 100, 1e-6)
dp_charge(ledger, "people", "0.1")
stopifnot(dp_account(ledger, "people")$left_pure == "99.9")
stopifnot(inherits(try(dp_charge(ledger, "people", 100), silent = TRUE), "try-error"))

# A table: at epsilon 80 the noise on counts is far below 1.
people <- data.frame(region = rep(c("north", "south", NA), c(300, 200, 5)), age = rep(c(30, 50, 70), c(300, 200, 5)))
answer <- dp_release(people, ledger, "people", epsilon = 80, count = TRUE, mean = list(age = c(0, 100)),
                     by = list(region = c("north", "south")))
stopifnot(round(answer$value[answer$statistic == "count"]) == c(300, 200))
near(answer$value[answer$statistic == "mean(age)"], c(30, 50), 2)
again <- dp_release(people, ledger, "people", epsilon = 80, count = TRUE, mean = list(age = c(0, 100)),
                    by = list(region = c("north", "south")))
stopifnot(identical(again$value, answer$value), dp_account(ledger, "people")$charges == 2)
print(answer)

# Other statistics, predicates and persons; asked again with fresh = TRUE it is paid again.
dp_budget(ledger, "more", 10000)
ask <- function(...) dp_release(people, ledger, "more", epsilon = 1000, ...)
bins <- ask(histogram = list(age = c(0, 40, 60, 100)))
stopifnot(round(bins$value) == c(300, 200, 5))
stopifnot(round(ask(count = TRUE, where = "age>=40")$value) == 205)
near(ask(quantile = list(age = c(0.5, 0, 100, 1)))$value, 30, 1)
people$id <- rep(seq_len(101), 5)
dp_budget(ledger, "rows", 10)
stopifnot(inherits(try(dp_release(people, ledger, "rows", 1, count = TRUE, person = "id"), silent = TRUE), "try-error")) # it protects rows
before <- dp_account(ledger, "more")$charges
same <- ask(count = TRUE, where = "age>=40")
stopifnot(dp_account(ledger, "more")$charges == before)
other <- ask(count = TRUE, where = "age>=40", fresh = TRUE)
stopifnot(dp_account(ledger, "more")$charges == before + 1)

# Fits: without noise as lm, with noise near it.
set.seed(1)
n <- 5000
table <- data.frame(a = runif(n, -1, 1), b = runif(n, 0, 10), g = factor(sample(c("p", "q"), n, TRUE)))
table$y <- 0.5 * table$a - 0.02 * table$b + 0.1 * (table$g == "q") + rnorm(n, sd = 0.05)
bounds <- list(a = c(-1, 1), b = c(0, 10))
exact <- dp_lm(y ~ a + b + g, table, bounds, c(-1.5, 1.5), epsilon = 1, method = "non-private")
near(coef(exact), coef(lm(y ~ a + b + g, table)), 1e-4)
noisy <- dp_lm(y ~ a + b + g, table, bounds, c(-1.5, 1.5), epsilon = 5, ledger = ledger, name = "people")
near(coef(noisy), coef(exact), 0.1)
near(predict(noisy, head(table)), predict(exact, head(table)), 0.3)
stopifnot(dp_account(ledger, "people")$charges == 3)
table$z <- table$y > 0
classes <- dp_glm(z ~ a + b, table, bounds, epsilon = 5)
stopifnot(mean((predict(classes, table) > 0.5) == table$z) > 0.75)
stopifnot(inherits(try(dp_lm(y ~ a, table, list(), c(-1, 1), epsilon = 1), silent = TRUE), "try-error"))
median <- dp_rq(y ~ a, table, bounds["a"], c(-1.5, 1.5), epsilon = 5)
share <- mean(table$y < predict(median, table))
stopifnot(share > 0.2, share < 0.8)
ridge <- dp_lm(y ~ a, table, bounds["a"], c(-1.5, 1.5), epsilon = 1, method = "non-private", settings = list(l2 = 10))
stopifnot(abs(coef(ridge)[["a"]]) < 0.2)
stopifnot(inherits(try(dp_lm(y ~ a, table, bounds["a"], c(-1, 1), epsilon = 1, settings = list(colour = 1)), silent = TRUE), "try-error"))
print(noisy)
