"""Help inside the program: the manual, the report of a problem, and the dialog About."""
