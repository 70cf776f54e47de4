"""Small reusable widgets: data is set from outside, changes are emitted as signals, parents are not referenced."""
