mkdir plugins
for i in $(seq 1 30); do mkdir plugins/p$i; echo "{\"name\":\"p$i\",\"weight\":$((i%5))}" > plugins/p$i/plugin.json; echo note > plugins/README$i; done
