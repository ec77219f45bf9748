mkdir cap
