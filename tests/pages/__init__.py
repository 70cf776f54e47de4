"""Page objects: the parts of the window, found by name and operated with a user's mouse and keys."""
