mkdir out; echo '// build 1' > out/bundle.js; touch -d '2024-01-01' out/bundle.js
