mkdir -p src; echo '{"compilerOptions":{"paths":{"@app":"src"}}}' > tsconfig.json
for i in $(seq 1 50); do printf 'import a from "@app/x"\nimport b from "./m1"\nimport c from "@app/m%s"\n' $i > src/m$i.ts; done
