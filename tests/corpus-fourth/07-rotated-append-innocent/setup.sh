: > shared.log
