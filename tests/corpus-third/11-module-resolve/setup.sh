mkdir -p src/lib
for i in $(seq 1 60); do echo "export const v$i = $i;" > src/lib/mod$i.ts; echo "import { v$i } from './lib/mod$i'"; done > src/index.ts
