mkdir -p preview
printf 'mercury,39,241\nvenus,72,615\nearth,100,1000\nmars,152,1881\njupiter,520,11862\n' > elements.csv
for p in mercury venus earth mars jupiter; do echo "<svg>old $p</svg>" > preview/$p.svg; done
echo '<html>old</html>' > preview/index.html
