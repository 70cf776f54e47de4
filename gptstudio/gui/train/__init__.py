"""The Train page: settings, Start, and the run that comes of it."""
