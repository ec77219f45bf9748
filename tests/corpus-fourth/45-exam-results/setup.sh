mkdir results
