echo '{"alice":120,"bob":80,"carol":5}' > accounts.json
