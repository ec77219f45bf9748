"""Works in five steps."""
print("5 steps")
