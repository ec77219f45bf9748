mkdir -p rosters
rm -f rosters/*
for b in dunwich orford shingle martello cobbold bawdsey; do
  printf '{"beacon": "%s", "nights": {"edith": %d, "wilf": %d, "agnes": %d}, "oil": %d}\n' $b ${#b} $((${#b} + 2)) $((${#b} % 4)) $((${#b} * 30)) > rosters/$b.json
done
printf 'dunwich edith\norford wilf\nshingle agnes\nmartello edith\ncobbold maud\nbawdsey wilf\n' > tonight.txt
