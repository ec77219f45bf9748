mkdir -p pages
: > places.txt
i=0
for r in Avon Severn Wye Teme Usk Taff Tywi Dee Conwy Clwyd Ogmore Rhymney Ebbw Neath Loughor Gwaun Nevern Dovey Mawddach Dwyryd; do
  echo "<h1>$r</h1>" > pages/$(echo $r | tr A-Z a-z).html
  for p in Upper Lower Little; do printf '%s %s\t%s\t%d\n' $p $r $r $((100 + i * 37 % 900)) ; i=$((i + 1)); done >> places.txt
done
