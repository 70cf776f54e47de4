"""The Model panel: what is to be built, before anything is built."""
