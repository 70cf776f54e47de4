"""Controllers: they carry out the requests of the pages with the state and the tasks, and do not depend on the
window."""
