mkdir templates content
for t in base article footer; do echo "<$t>{{body}}</$t>" > templates/$t.tpl; done
i=0; while [ $i -lt 150 ]; do echo "text of article $i"; i=$((i+1)); done > content/articles.txt
