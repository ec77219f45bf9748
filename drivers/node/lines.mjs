// lines: hand every line of a file to the program. Lines are strings, decoded
// from UTF-8, as these APIs give them unless told otherwise.

import { createReadStream, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';

export async function readlineStream(path, sink) {
  const input = createReadStream(path);
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    sink.takeLine(line);
  }
  // The last line comes before the file is closed.
  await finished(input);
}

export async function handleReadLines(path, sink) {
  const handle = await open(path);
  for await (const line of handle.readLines()) {
    sink.takeLine(line);
  }
  // The stream closes the handle by itself; this waits for it.
  await handle.close();
}

export function readFileSyncSplit(path, sink) {
  const lines = readFileSync(path, 'utf8').split('\n');
  // What follows the last newline is a line only when it is not empty.
  if (lines.at(-1) === '') {
    lines.pop();
  }
  for (const line of lines) {
    sink.takeLine(line);
  }
}
