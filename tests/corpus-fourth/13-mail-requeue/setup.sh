mkdir deferred
for i in $(seq 1 75); do printf 'X-Try: %d\nTo: u%d@example.net\n\nhello\n' $((i % 6)) $i > deferred/m$i.eml; done
