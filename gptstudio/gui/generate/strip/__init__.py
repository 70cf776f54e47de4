"""A text as its tokens: colored, stepped through, played, and saved to files."""
