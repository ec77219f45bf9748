mkdir -p boards
for b in breakfast lunch soup grill dessert drinks kids; do
  printf 'yesterday: %s\n' $b > boards/$b.txt
done
