"""The welcome and the tour of the window, for whoever starts the program for the first time."""
