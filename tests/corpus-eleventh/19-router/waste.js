'use strict';
// router: decides by a route table where requests go; fed from a request list.
const fs = require('fs');
const path = require('path');

const CONFIG = path.join(__dirname, 'routes.json');

function loadConfig() {
  const cfg = JSON.parse(fs.readFileSync(CONFIG, 'utf8'));
  for (const r of cfg.routes) r.re = new RegExp(r.match);
  return cfg;
}

function handle(req) {
  const cfg = loadConfig();
  for (const r of cfg.routes) {
    if (r.method && r.method !== req.method) continue;
    const m = r.re.exec(req.url);
    if (m) return { status: 200, target: r.target.replace('$1', m[1] || '') };
  }
  return { status: 404, target: cfg.fallback };
}

function parse(line) {
  const [method, url] = line.split(' ');
  return { method, url };
}

function main() {
  const lines = fs.readFileSync(path.join(__dirname, 'requests.txt'), 'utf8').trim().split('\n');
  const byTarget = new Map();
  let notFound = 0;
  for (const line of lines) {
    const res = handle(parse(line));
    if (res.status === 404) notFound++;
    byTarget.set(res.target, (byTarget.get(res.target) || 0) + 1);
  }
  const rows = [...byTarget].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  for (const [target, n] of rows.slice(0, 10)) console.log(String(n).padStart(5), target);
  console.log(`${lines.length} requests, ${notFound} without a route`);
}

main();
