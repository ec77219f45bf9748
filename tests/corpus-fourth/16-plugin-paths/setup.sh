mkdir -p opt/tool/plugins
i=0; while [ $i -lt 100 ]; do echo "PLUGIN = $i" > opt/tool/plugins/p$i.cfg; i=$((i+1)); done
ln -s opt/tool/plugins active
