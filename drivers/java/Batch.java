// One order to perform operations.

record Batch(int method, long count, long preroll) {}
