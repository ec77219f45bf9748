mkdir parts
