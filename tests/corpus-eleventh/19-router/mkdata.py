import json
routes = [{"match": f"^/svc{i}/(\\w+)", "target": f"http://10.0.0.{i}/$1"} for i in range(30)]
routes.append({"match": "^/login$", "method": "POST", "target": "http://auth/login"})
with open("routes.json", "w") as f:
    json.dump({"routes": routes, "fallback": "http://old/"}, f, indent=2)
with open("requests.txt", "w") as f:
    for i in range(350):
        f.write(("POST /login" if i % 11 == 0 else f"GET /svc{i % 33}/item{i % 5}") + "\n")
