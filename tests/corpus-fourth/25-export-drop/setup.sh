mkdir export
