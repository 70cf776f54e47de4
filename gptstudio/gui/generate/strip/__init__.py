"""A text as its tokens: coloured, walked, played, written to files."""
