"""From logits to the drawn token: the dials, and the table of what each stage leaves."""
