mkdir -p srv/www/site/pages
i=0
while [ $i -lt 1003 ]; do
    : > "srv/www/site/pages/$i"
    i=$((i + 1))
done
