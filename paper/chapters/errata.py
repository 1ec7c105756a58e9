"""What differs from print: FH and its talk, INID and OSGT, KN, and what was found later."""
from chapters import errata_fh, errata_kn, errata_others

PARTS = [errata_fh, errata_others, errata_kn]
