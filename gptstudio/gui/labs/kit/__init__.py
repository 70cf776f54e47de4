"""What the pages of the labs are made of."""
