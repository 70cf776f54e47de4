"""Editors of settings."""
