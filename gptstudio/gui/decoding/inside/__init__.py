"""What goes on inside: attention, what each layer would say, which tokens lie near each other."""
