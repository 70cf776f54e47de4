"""The program's state and its background work, without any widget."""
