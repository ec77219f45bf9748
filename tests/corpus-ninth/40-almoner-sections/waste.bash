#!/bin/bash
# Splits the almoner's accounts into a sheet for each street.

sheets=0
total=0

begin_sheet() {
  exec {screen}>&1
  exec > "sheets/$1.txt"
  echo "Street: $1"
}

end_sheet() {
  echo "Sum: $1"
  exec >&"$screen"
}

mkdir -p sheets
street=
sum=0
while read -r where name pence; do
  if [[ $where != "$street" ]]; then
    if [[ -n $street ]]; then
      end_sheet "$sum"
    fi
    street=$where
    sum=0
    sheets=$((sheets + 1))
    begin_sheet "$street"
  fi
  printf '%-10s %4d\n' "$name" "$pence"
  sum=$((sum + pence))
  total=$((total + pence))
done < alms.txt
end_sheet "$sum"

echo "$sheets sheets, $total pence given"
