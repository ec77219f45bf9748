mkdir steps
