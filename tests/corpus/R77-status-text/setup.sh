touch status
