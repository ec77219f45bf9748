# The directory with the tools comes first.
PATH=$PWD/tools:$PWD/path/1:$PWD/path/2:$PWD/path/3:$PWD/path/4:$PWD/path/5:$PWD/path/6:$PWD/path/7
for tool in t1 t2 t3 t4 t5 t6 t7 t8 t9 t10; do command -v $tool > /dev/null && tools="$tools $tool"; done
echo "tools$tools"
