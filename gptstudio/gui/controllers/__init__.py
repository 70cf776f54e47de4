"""Controllers: given the state and the tasks, they do what the pages ask for; they never know the window."""
