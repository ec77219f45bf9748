mkdir -p store/objects farm/stage/current/links
i=0; while [ $i -lt 90 ]; do echo "object $i" > store/objects/o$i; ln -s ../../../../store/objects/o$i farm/stage/current/links/l$i; i=$((i+1)); done
