mkdir -p www/customers/north/shop/releases/current/html
i=0; while [ $i -lt 40 ]; do echo "<title>Page $i</title>" > www/customers/north/shop/releases/current/html/p$i.html; i=$((i+1)); done
