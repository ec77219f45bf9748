echo 'KEY 1234' > secret.key; chmod 600 secret.key
printf 'a.jpg 10\nb.jpg 20\nc.jpg 30\nd.jpg 40\n' > catalogue.db
