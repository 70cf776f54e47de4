"""A text that branches: shown as a map, walked, named, compared, kept."""
