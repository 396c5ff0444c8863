"""Measurements beside what a user would pick instead."""
