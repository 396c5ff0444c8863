"""Learning files while somebody looks on: what `lapwing learn` does once its options are read."""
