mkdir -p shelves/silk shelves/wool shelves/linen shelves/felt
i=1
while [ $i -le 60 ]; do
  case $((i % 4)) in 0) s=silk ;; 1) s=wool ;; 2) s=linen ;; 3) s=felt ;; esac
  echo "colour $((i * 9 % 32)) weight $((i * 13 % 210))" > shelves/$s/f$i.swatch
  i=$((i + 1))
done
