mkdir map
