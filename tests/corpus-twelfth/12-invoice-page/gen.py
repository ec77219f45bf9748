import json, os
os.makedirs("views", exist_ok=True)
open("views/row.tpl", "w").write("<tr><td>{{no}}</td><td>{{text}}</td><td>{{amount}}</td></tr>\n")
open("views/page.tpl", "w").write("<html><h1>{{title}}</h1><table>\n{{rows}}</table><p>{{total}}</p></html>\n")
json.dump([{"no": i, "text": f"Item <{i}> & more", "amount": i * 13 % 170} for i in range(700)], open("invoice.json", "w"))
