"""The commands of `lapwing`, one per file: their options, their help, and what they print."""
