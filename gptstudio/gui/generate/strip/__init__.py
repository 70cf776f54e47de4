"""A text as its tokens: colored, stepped through, played, saved to files."""
