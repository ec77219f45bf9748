import os
os.makedirs("tpl", exist_ok=True)
open("tpl/head.tpl", "w").write("<h1>{{ title }}</h1>\n")
open("tpl/row.tpl", "w").write("<tr><td>{{ id }}<td>{{ name }}<td>{{ price }}</tr>\n")
