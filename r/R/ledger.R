# Budgets on disk. Epsilon and delta may be texts, "0.1"; a number is taken for the decimal that R prints with 15 digits.

amount <- function(x) if (is.character(x)) x else format(x, digits = 15, scientific = FALSE, trim = TRUE, drop0trailing = TRUE)

dp_ledger <- function(path, create = FALSE) .Call(C_ledger_open, path.expand(path), create)
dp_budget <- function(ledger, name, epsilon, delta = 0) invisible(.Call(C_ledger_init, ledger, name, amount(epsilon), amount(delta)))
dp_charge <- function(ledger, name, epsilon, delta = 0) invisible(.Call(C_ledger_charge, ledger, name, amount(epsilon), amount(delta)))
dp_account <- function(ledger, name) .Call(C_ledger_account, ledger, name)
