"""KN: Awan and Slavkovic, K-norm mechanisms."""
from chapters import kn_balls, kn_fits

PARTS = [kn_balls, kn_fits]
