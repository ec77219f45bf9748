// Where methods deliver what they read: the digest that proves the data was
// there, and for `verify` the CRC of all of it. Sums are doubles: exact to 2^53.

import { crc32 } from './crc32.mjs';

const PAGE_BYTES = 4096;
const TWO_TO_32 = 2 ** 32;

export class Sink {
  bytes = 0;
  /** The digest is digestHigh · 2^32 + digest. */
  digest = 0;
  digestHigh = 0;
  /** Lines or matches. */
  counted = 0;
  /** Bytes of the operation in progress. */
  position = 0;
  crc = 0;

  /** With `full` the CRC is taken as well. */
  constructor(full = false) {
    this.full = full;
  }

  /** Accepts the next piece of the operation's data: data[start] to data[end - 1]. */
  take(data, start, end) {
    // One byte per page, counted from the operation's first byte, whatever the pieces.
    let sum = 0;
    for (let i = start + (-this.position & (PAGE_BYTES - 1)); i < end; i += PAGE_BYTES) {
      sum += data[i];
    }
    this.digest += sum;
    this.position += end - start;
    this.bytes += end - start;
    if (this.full) {
      this.crc = crc32(data.subarray(start, end), this.crc);
    }
  }

  /** Accepts the operation's data as a latin1 string: one character per byte. */
  takeText(text) {
    let sum = 0;
    for (let i = 0; i < text.length; i += PAGE_BYTES) {
      sum += text.charCodeAt(i);
    }
    this.digest += sum;
    this.bytes += text.length;
    if (this.full) {
      this.crc = crc32(Buffer.from(text, 'latin1'), this.crc);
    }
  }

  /** Accepts a line of ASCII text: its characters are its bytes. */
  takeLine(line) {
    if (line.length > 0) {
      this.digest += line.charCodeAt(0);
    }
    this.bytes += line.length;
    this.counted++;
    if (this.full) {
      this.crc = crc32(`${line}\n`, this.crc);
    }
  }

  /** Accepts the number of matches in a file of so many bytes. */
  takeCount(bytes, count) {
    this.bytes += bytes;
    this.digest += count;
    this.counted += count;
    if (this.full) {
      this.crc = crc32(String(count), this.crc);
    }
  }

  /** Accepts the MD5 of a file of so many bytes. */
  takeHash(bytes, md5) {
    this.bytes += bytes;
    this.#addDigest(md5.readUInt32BE(0), md5.readUInt32BE(4));
    if (this.full) {
      this.crc = crc32(md5, this.crc);
    }
  }

  /** Accepts a configuration that was parsed from so many bytes. */
  takeConfig(bytes, { port, limits }) {
    this.bytes += bytes;
    this.digest += port + limits.open + limits.read;
    if (this.full) {
      // One file after the other; the sum over the last is the answer.
      this.crc = crc32(String(this.digest));
    }
  }

  /** Accepts what another sink took. */
  takeAnswer(answer) {
    this.bytes += answer.bytes;
    this.#addDigest(answer.digestHigh, answer.digest);
    this.counted += answer.counted;
    this.crc = answer.crc;
  }

  /** The digest as the protocol has it, modulo 2^64. */
  wholeDigest() {
    return BigInt.asUintN(64, (BigInt(this.digestHigh) << 32n) + BigInt(this.digest));
  }

  #addDigest(high, low) {
    this.digest += low;
    this.digestHigh += high;
    if (this.digest >= TWO_TO_32) {
      this.digest -= TWO_TO_32;
      this.digestHigh++;
    }
    if (this.digestHigh >= TWO_TO_32) {
      this.digestHigh -= TWO_TO_32;
    }
  }
}
