"""The dialogs through which weights come in and go out."""
