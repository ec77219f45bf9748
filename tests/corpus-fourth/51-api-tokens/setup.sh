mkdir tokens
