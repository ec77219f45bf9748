mkdir public
i=0; while [ $i -lt 55 ]; do seq $i $((i * 20 + 300)) | tr '\n' ';' > public/module$i.js; i=$((i+1)); done
