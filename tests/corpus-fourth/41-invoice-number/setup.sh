mkdir invoices
i=1; while [ $i -le 120 ]; do echo "old $i" > invoices/R$i.txt; i=$((i+1)); done
