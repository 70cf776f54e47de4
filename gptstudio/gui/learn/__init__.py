"""The Learn tab: a page for each lab, which shows what the lab's function answers. Everything of it is in here."""
