"""Text with branches: shown as a tree, and its branches named, compared and saved."""
