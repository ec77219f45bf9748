import { closeSync, existsSync, fsyncSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { spawnSync } from "node:child_process";

const buffer = Buffer.alloc(64);

function copy(name) {
  const file = openSync(name, "r");
  readSync(file, buffer);
  closeSync(file);
}

function look(name) {
  // before
  statSync(name);
  copy(name);
  // each file
}

function keep() {
  const out = openSync("out", "w");
  writeSync(out, "x");
  // out
  closeSync(out);
}

for (let number = 1; number <= 4; number++) look(`data/${number}.txt`);
keep();
copy("moved.dat");
