mkdir feeds
i=0; while [ $i -lt 20 ]; do { echo '<rss><channel>'; j=0; while [ $j -lt $((120 + i)) ]; do echo "<item><title>News $j of $i</title><guid>$i-$j</guid></item>"; j=$((j+1)); done; echo '</channel></rss>'; } > feeds/f$i.xml; i=$((i+1)); done
