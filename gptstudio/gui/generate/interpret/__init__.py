"""Inside the model: attention, predictions after each layer, and nearest neighbours of tokens."""
