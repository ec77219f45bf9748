for number in 1 2 3 4 5 6 7 8 9 10; do
  mkdir -p "srv/www/site/pages/$number"
  for page in 1 2 3 4 5 6 7 8 9 10; do echo page > "srv/www/site/pages/$number/$page"; done
done
