touch lock table
