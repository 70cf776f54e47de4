"""Health of the layers of a run: small charts with a line for each layer, and a heat map of layers and steps."""
