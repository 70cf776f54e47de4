"""A text as its tokens: coloured, stepped through, played, and saved to files."""
