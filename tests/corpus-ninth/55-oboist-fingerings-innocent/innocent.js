'use strict';
const fs = require('fs');

const BOOK = 'fingerings.bin';
const UNDO = 'fingerings.undo';
const RECORD = 48;

function syncDir() {
  const fd = fs.openSync('.', 'r');
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

function recover() {
  if (!fs.existsSync(UNDO)) return false;
  const undo = fs.readFileSync(UNDO);
  const fd = fs.openSync(BOOK, 'r+');
  fs.writeSync(fd, undo, 4, undo.length - 4, undo.readUInt32LE(0));
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  fs.unlinkSync(UNDO);
  return true;
}

function overwrite(fd, old, fresh, at) {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(at);
  const undo = fs.openSync(UNDO + '.part', 'wx');
  fs.writevSync(undo, [head, old]);
  fs.fsyncSync(undo);
  fs.closeSync(undo);
  fs.renameSync(UNDO + '.part', UNDO);
  syncDir();
  fs.writeSync(fd, fresh, 0, fresh.length, at);
  fs.fsyncSync(fd);
  fs.unlinkSync(UNDO);
  syncDir();
}

const undone = recover();
const fd = fs.openSync(BOOK, 'r+');
const size = fs.fstatSync(fd).size;
let sharper = 0;
for (const register of fs.readFileSync('registers.txt', 'utf8').trim().split('\n')) {
  const [from, count] = register.split(' ').map(Number);
  const old = Buffer.alloc(count * RECORD);
  fs.readSync(fd, old, 0, old.length, from * RECORD);
  const fresh = Buffer.from(old);
  for (let i = 0; i < count; i++) {
    const cents = fresh.readInt16LE(i * RECORD + 44);
    if (cents < 0) sharper++;
    fresh.writeInt16LE(cents + 3, i * RECORD + 44);
  }
  overwrite(fd, old, fresh, from * RECORD);
}
fs.closeSync(fd);
console.log(`${size / RECORD} fingerings, ${sharper} were flat${undone ? ', one change undone' : ''}`);
