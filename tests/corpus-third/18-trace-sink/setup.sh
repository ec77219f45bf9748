mkdir trace
