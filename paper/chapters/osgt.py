"""OSGT: Sadeghi and Korki, offset-symmetric Gaussian tails."""
from chapters import osgt_figures, osgt_theory

PARTS = [osgt_theory, osgt_figures]
