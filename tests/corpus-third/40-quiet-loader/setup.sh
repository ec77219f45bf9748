mkdir ext
for i in $(seq 1 15); do echo "warn 'ext $i is deprecated'; EXT << $i * $i" > ext/e$i.rb; done
