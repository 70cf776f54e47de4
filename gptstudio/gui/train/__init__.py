"""Train page: settings, Start, and the view of the run."""
