printf 'anna:1234\nben:x9!kQ\ncora:hello\n' > shadow.copy; chmod 600 shadow.copy
