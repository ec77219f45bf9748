echo zero > table
