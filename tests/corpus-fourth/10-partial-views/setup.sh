mkdir -p views/tenant views/theme views/mobile views/default
for i in $(seq 1 90); do echo "<div id=\"p$i\"><%= $i * 2 %></div>" > views/default/_part$i.html.erb; done
echo '<b>tenant</b>' > views/tenant/_part3.html.erb
