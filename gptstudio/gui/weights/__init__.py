"""Dialogs that open, download, manage and export weights."""
