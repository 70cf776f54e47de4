"""Small parts: told what to show, never fetching; signals out, no reference upward."""
