"""Building blocks of the pages of the labs."""
