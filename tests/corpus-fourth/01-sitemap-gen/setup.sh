mkdir pages
i=0; while [ $i -lt 300 ]; do
  printf '<!doctype html>\n<title>Article %d</title>\n<p>Some text about subject %d.\n' $i $((i * 7)) > pages/article-$i.html; i=$((i+1))
done
touch -d '2024-03-05 12:00:00 UTC' pages/*
