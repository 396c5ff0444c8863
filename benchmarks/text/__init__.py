"""`python -m benchmarks.text`: a text file learned end to end, beside Vowpal Wabbit."""
