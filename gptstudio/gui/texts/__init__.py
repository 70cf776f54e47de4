"""The Texts page."""
