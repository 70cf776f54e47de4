"""One prompt, two models or two settings, side by side."""
