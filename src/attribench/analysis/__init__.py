"""How do groups differ, and is it chance? From outcomes to accuracy, suppression and tests."""
