echo "a table of some words" > table
