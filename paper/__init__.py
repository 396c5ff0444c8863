"""What is kept of the paper's experiments at the paper's size, and the page made from it."""
