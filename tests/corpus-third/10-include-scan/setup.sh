mkdir -p inc/sys inc/net inc/ui inc/gen inc/lib src
for i in $(seq 1 105); do echo "#define X$i $i" > inc/lib/l$i.h; echo "#define G$i $i" > inc/gen/g$i.h; done
for s in $(seq 1 11); do for i in $(seq 1 10); do n=$((s*10-10+i)); echo "#include \"l$n.h\""; echo "#include \"g$n.h\""; done > src/f$s.c; done
