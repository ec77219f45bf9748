mkdir docs
i=0; while [ $i -lt 85 ]; do printf '# Chapter %d\n\nText with *stress* %d.\n' $i $i > docs/chapter-$i.md; i=$((i+1)); done
rm docs/chapter-4.md; echo '<h1>Chapter 4</h1>' > docs/chapter-4.html
