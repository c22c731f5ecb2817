"""What does a reader see? Figures and tables, each from one function that reads one table."""
