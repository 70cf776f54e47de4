"""Help inside the program: the manual, the glossary, the report of a problem, and what the program is made of."""
