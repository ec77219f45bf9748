'use strict';
// thumbcache: fills a cache folder with small previews of "pictures".
const fs = require('fs');
const path = require('path');
const crypto = require('crypto');

class Cache {
  constructor(dir) {
    this.dir = dir;
    this.puts = 0;
    fs.mkdirSync(dir, { recursive: true });
    this.checkWritable();
  }

  key(name, width) {
    return crypto.createHash('sha1').update(`${name}@${width}`).digest('hex').slice(0, 16);
  }

  checkWritable() {
    try {
      fs.accessSync(this.dir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    } catch (e) {
      throw new Error(`cache folder ${this.dir} is not usable: ${e.code}`);
    }
  }

  put(name, width, data) {
    fs.writeFileSync(path.join(this.dir, this.key(name, width) + '.thumb'), data);
    this.puts++;
  }
}

function shrink(picture, width) {
  const step = Math.max(1, Math.floor(picture.length / width));
  const out = Buffer.alloc(Math.ceil(picture.length / step));
  for (let i = 0, o = 0; i < picture.length; i += step) out[o++] = picture[i];
  return out;
}

function picture(n) {
  const b = Buffer.alloc(600 + n);
  for (let i = 0; i < b.length; i++) b[i] = (i * n) & 255;
  return b;
}

function main() {
  const cache = new Cache('cache');
  let bytes = 0;
  for (let n = 1; n <= 150; n++) {
    const pic = picture(n);
    for (const width of [16, 64, 128]) {
      const t = shrink(pic, width);
      cache.put(`pic${n}`, width, t);
      bytes += t.length;
    }
  }
  console.log(`${cache.puts} thumbnails, ${bytes} bytes`);
}

main();
