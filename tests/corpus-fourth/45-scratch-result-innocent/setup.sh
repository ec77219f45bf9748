mkdir cache
