// The arguments of `run`, and what a method cannot do of them. That the values fit
// each other is for Fathom to check, before it starts a driver.

import { readFileSync } from 'node:fs';
import { UnsupportedError } from './failure.mjs';
import { findMethod } from './methods.mjs';

export class UsageError extends Error {}

/** Their defaults; a number where a number is wanted. */
const SETTINGS = {
  operation: '', size: 0, block: 65536, access: 'random', alignment: 'aligned', buffer: 'reused', word: 'ERROR',
  threads: 1, queueDepth: 1, algorithm: 'md5', directory: null, existing: 'fresh', write: 0, close: 'each',
  sync: 'none', content: 'random', format: 'json', seed: 1n, latencies: null,
};
const WRITERS = ['create', 'write-block', 'copy'];

/** What the arguments of `run` ask for. */
export function parseArguments(words) {
  const plan = { ...SETTINGS, methods: [], paths: [], marks: false };
  const rest = words[Symbol.iterator]();
  for (const flag of rest) {
    if (flag === '--marks') {
      plan.marks = true;
      continue;
    }
    const { value, done } = rest.next();
    const name = flag.replace(/^--/, '').replace('queue-depth', 'queueDepth');
    if (done) {
      throw new UsageError(`unknown argument, or one without a value: ${JSON.stringify(flag)}`);
    } else if (flag === '--method') {
      plan.methods.push(value);
    } else if (flag === '--path') {
      plan.paths.push(value);
    } else if (flag === '--path-list') {
      plan.paths.push(...readFileSync(value, 'utf8').split('\0').slice(0, -1));
    } else if (flag.startsWith('--') && Object.hasOwn(SETTINGS, name)) {
      plan[name] = converted(flag, value, SETTINGS[name]);
    } else {
      throw new UsageError(`unknown argument ${JSON.stringify(flag)}`);
    }
  }
  plan.sequential = plan.access === 'sequential';
  plan.unaligned = plan.alignment === 'unaligned';
  plan.methods = plan.methods.map((name) => methodFor(plan.operation, name));
  if (plan.methods.length === 0 || (WRITERS.includes(plan.operation) && plan.directory === null)) {
    throw new UsageError(`${plan.methods.length === 0 ? '--method' : '--directory'} is missing`);
  }
  for (const method of plan.methods) {
    const reason = method.unavailable ?? refusal(plan, method);
    if (reason !== null) {
      throw new UnsupportedError(`${method.name}: ${reason}`);
    }
  }
  return plan;
}

function converted(flag, text, like) {
  if (typeof like !== 'number' && typeof like !== 'bigint') {
    return text;
  }
  if (!/^\d+$/.test(text)) {
    throw new UsageError(`${flag}: ${JSON.stringify(text)} is not a number`);
  }
  return like.constructor(text);
}

function methodFor(operation, name) {
  const method = findMethod(name);
  if (method === undefined || !Object.hasOwn(method.operations, operation)) {
    throw new UsageError(`no method ${JSON.stringify(name)} that performs ${JSON.stringify(operation)}`);
  }
  return method;
}

/** Why the method cannot do what is asked; null where it can. */
function refusal(plan, method) {
  const { operation, algorithm, sync, threads, queueDepth, format, sequential } = plan;
  const way = method.operations[operation];
  if (plan.buffer === 'stack') {
    return 'JavaScript puts no buffer on the stack';
  } else if (operation === 'hash' && algorithm !== 'md5') {
    return 'Node.js has no XXH64';
  } else if (WRITERS.includes(operation) && sync === 'syncfs') {
    return 'Node.js has no syncfs';
  } else if (method.name === 'null') {
    return null;
  } else if (['read-block', 'read-whole'].includes(operation) && (threads > 1 || queueDepth > 1)) {
    return 'it reads on one thread, one block after the other';
  } else if (operation === 'config-load' && format !== 'json') {
    return `Node.js has no parser of ${format}`;
  } else if (operation === 'create' && plan.close !== 'each' && way.open === undefined) {
    return 'it closes the file by itself';
  } else if (operation === 'create' && sync === 'fsync' && !way.canSync) {
    return 'its option flush came with Node.js 20.10 and 21';
  } else if (operation === 'write-block' && way.inOrder && !sequential) {
    return 'it writes in order only';
  } else if (operation === 'copy' && sync === 'fsync' && !way.canSync) {
    return 'it has no way to sync the copy before it is closed';
  }
  return null;
}
