mkdir -p tpl
for i in $(seq 1 70); do printf '<h1>{{title%s}}</h1><p>{{body}}</p>\n' $i > tpl/page$i.tpl; done
