"""What tests know about the window: pages found by name, and driven with the mouse and the keys of a user."""
