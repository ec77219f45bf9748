: > grow.log
