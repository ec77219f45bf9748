#!/usr/bin/env node
// The entry of the driver: `describe` or `run`, and the exit codes. It does not
// know what a method does.

import { parseArguments, UsageError } from './arguments.mjs';
import { UnsupportedError } from './failure.mjs';
import { LineReader } from './input.mjs';
import { methods } from './methods.mjs';
import { write } from './output.mjs';
import { prepare } from './session.mjs';

function describe() {
  const described = methods.map((method) => {
    const { name, operations, does, unavailable } = method;
    return { name, operations: Object.keys(operations), does, unavailable };
  });
  const runtime = `Node.js ${process.version}`;
  const answer = { protocol: 1, driver: 'node', language: 'JavaScript (Node.js)', runtime, methods: described };
  write(1, `${JSON.stringify(answer, null, 1)}\n`);
}

async function drive([command, ...words]) {
  if (command === 'describe') {
    describe();
  } else if (command === 'run') {
    const session = await prepare(parseArguments(words));
    await session.obey(new LineReader(0), (text) => write(1, text));
  } else {
    throw new UsageError('usage: main.mjs describe | main.mjs run --operation NAME --method NAME --path FILE …');
  }
  return 0;
}

function exitCode(error) {
  // A list of paths or a file of latencies that cannot be opened.
  if (error instanceof UsageError || error?.syscall === 'open') {
    write(2, `error: ${error.message}\n`);
    return 2;
  }
  if (error instanceof UnsupportedError) {
    write(2, `not supported: ${error.message}\n`);
    return 77;
  }
  throw error;
}

// Threads of a search would keep the process alive: it ends by its own word.
process.exit(await drive(process.argv.slice(2)).catch(exitCode));
