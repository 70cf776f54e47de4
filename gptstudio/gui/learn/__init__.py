"""The Learn tab: a page for each lab that shows the lab's answers."""
