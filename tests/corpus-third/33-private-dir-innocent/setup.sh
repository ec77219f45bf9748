mkdir -m 700 private; echo 'token-1' > private/token; chmod 600 private/token
