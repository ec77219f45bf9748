mkdir notes
