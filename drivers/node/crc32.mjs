// CRC-32 as in zlib: Node's own where it has one (20.15, 22.2), else a table.

import zlib from 'node:zlib';

export const crc32 = zlib.crc32 ?? crc32ByTable;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return value >>> 0;
});

export function crc32ByTable(data, value = 0) {
  let crc = ~value;
  for (const byte of typeof data === 'string' ? Buffer.from(data) : data) {
    crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
