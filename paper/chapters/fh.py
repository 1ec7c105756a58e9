"""FH: Muthukrishnan and Kalyani, the flipped Huber mechanism."""
from chapters import fh_descent, fh_figures, fh_theory

PARTS = [fh_theory, fh_figures, fh_descent]
