#!/usr/bin/env node
// The entry of the driver: `describe` or `run`, and the exit codes. It does not
// know what a method does.

import { parseArguments, UsageError } from './arguments.mjs';
import { UnsupportedError } from './failure.mjs';
import { LineReader } from './input.mjs';
import { methods } from './methods.mjs';
import { write } from './output.mjs';
import { prepare } from './session.mjs';

const EXIT_DONE = 0;
const EXIT_USAGE = 2;
const EXIT_UNSUPPORTED = 77;
const USAGE = 'usage: main.mjs describe | main.mjs run --operation NAME --method NAME --path FILE …';

function describe() {
  const described = methods.map(({ name, operations, does, unavailable }) => ({
    name,
    operations: Object.keys(operations),
    does,
    unavailable,
  }));
  const runtime = `Node.js ${process.version}`;
  const answer = { protocol: 1, driver: 'node', language: 'JavaScript (Node.js)', runtime, methods: described };
  write(1, `${JSON.stringify(answer, null, 1)}\n`);
}

async function run(words) {
  const session = await prepare(parseArguments(words));
  await session.obey(new LineReader(0), (text) => write(1, text));
}

async function drive([command, ...words]) {
  switch (command) {
    case 'describe':
      return describe();
    case 'run':
      return run(words);
    default:
      throw new UsageError(USAGE);
  }
}

function exitCode(error) {
  if (error instanceof UsageError) {
    write(2, `error: ${error.message}\n`);
    return EXIT_USAGE;
  }
  if (error instanceof UnsupportedError) {
    write(2, `not supported: ${error.message}\n`);
    return EXIT_UNSUPPORTED;
  }
  throw error;
}

// Threads of a search would keep the process alive: it ends by its own word.
process.exit(await drive(process.argv.slice(2)).then(() => EXIT_DONE, exitCode));
