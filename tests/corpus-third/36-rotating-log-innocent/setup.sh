mkdir log
