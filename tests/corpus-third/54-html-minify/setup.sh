mkdir pages scratch
i=1; while [ $i -le 40 ]; do printf '<p>   page   %s  </p>\n\n\n<!-- comment -->\n%0400d\n' $i 0 > pages/$i.html; i=$((i+1)); done
