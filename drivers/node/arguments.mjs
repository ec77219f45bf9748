// The arguments of `run` and what they must satisfy. Nothing is opened here.

import { readFileSync, statSync } from 'node:fs';
import { POOL_BYTES } from './contents.mjs';
import { findMethod } from './methods.mjs';
import { places } from './offsets.mjs';
import { OPERATIONS } from './operation.mjs';

export class UsageError extends Error {}

const TAKES_SIZE = ['open-read-close', 'read-block', 'write-block', 'copy', 'config-load'];
const TAKES_BLOCKS = ['read-block', 'write-block'];
const TAKES_DIRECTORY = ['create', 'write-block', 'copy'];
const TAKES_NO_PATH = ['null', 'create', 'write-block'];

/** What the arguments of `run` ask for. */
export function parseArguments(words) {
  const plan = {
    operation: null,
    methods: [],
    paths: [],
    size: null,
    block: 65536,
    sequential: false,
    unaligned: false,
    buffer: 'reused',
    word: 'ERROR',
    threads: 1,
    queueDepth: 1,
    algorithm: 'md5',
    directory: null,
    existing: 'fresh',
    write: 0,
    close: 'each',
    sync: 'none',
    content: 'random',
    format: 'json',
    seed: 1n,
    marks: false,
    latencies: null,
  };
  const names = [];
  const rest = words[Symbol.iterator]();
  for (const flag of rest) {
    if (flag === '--marks') {
      plan.marks = true;
    } else if (flag === '--method') {
      names.push(valueOf(flag, rest));
    } else if (Object.hasOwn(SETTERS, flag)) {
      SETTERS[flag](plan, valueOf(flag, rest), flag);
    } else {
      throw new UsageError(`unknown argument ${JSON.stringify(flag)}`);
    }
  }
  setMethods(plan, names);
  check(plan);
  return plan;
}

const SETTERS = {
  '--operation': setOperation,
  '--path': (plan, word) => plan.paths.push(word),
  '--path-list': takePathList,
  '--size': (plan, word, flag) => (plan.size = number(flag, word, 0)),
  '--block': (plan, word, flag) => (plan.block = number(flag, word, 1)),
  '--access': (plan, word, flag) => (plan.sequential = isSecond(flag, word, 'random', 'sequential')),
  '--alignment': (plan, word, flag) => (plan.unaligned = isSecond(flag, word, 'aligned', 'unaligned')),
  '--buffer': (plan, word, flag) => (plan.buffer = oneOf(flag, word, ['reused', 'fresh', 'stack'])),
  '--word': (plan, word) => (plan.word = word),
  '--threads': (plan, word, flag) => (plan.threads = number(flag, word, 1)),
  '--queue-depth': (plan, word, flag) => (plan.queueDepth = number(flag, word, 1)),
  '--algorithm': (plan, word, flag) => (plan.algorithm = oneOf(flag, word, ['md5', 'xxh64'])),
  '--directory': (plan, word) => (plan.directory = word),
  '--existing': (plan, word, flag) => (plan.existing = oneOf(flag, word, ['fresh', 'empty', 'data'])),
  '--write': (plan, word, flag) => (plan.write = number(flag, word, 0)),
  '--close': (plan, word, flag) => (plan.close = oneOf(flag, word, ['each', 'all', 'none'])),
  '--sync': (plan, word, flag) => (plan.sync = oneOf(flag, word, ['none', 'fsync', 'syncfs'])),
  '--content': (plan, word, flag) => (plan.content = oneOf(flag, word, ['random', 'pattern'])),
  '--format': (plan, word, flag) => (plan.format = oneOf(flag, word, ['json', 'yaml', 'toml'])),
  '--seed': (plan, word, flag) => (plan.seed = seed(flag, word)),
  '--latencies': (plan, word) => (plan.latencies = word),
};

function valueOf(flag, rest) {
  const { value, done } = rest.next();
  if (done) {
    throw new UsageError(`${flag} needs a value`);
  }
  return value;
}

function takePathList(plan, word, flag) {
  try {
    plan.paths.push(...readFileSync(word, 'utf8').split('\0').slice(0, -1));
  } catch (error) {
    throw new UsageError(`${flag}: ${error.message}`);
  }
}

function setOperation(plan, word) {
  if (plan.operation !== null) {
    throw new UsageError('--operation is given twice');
  }
  if (!OPERATIONS.includes(word)) {
    throw new UsageError(`unknown operation ${JSON.stringify(word)}`);
  }
  plan.operation = word;
}

function setMethods(plan, names) {
  if (plan.operation === null) {
    throw new UsageError('--operation is missing');
  }
  if (names.length === 0) {
    throw new UsageError('--method is missing');
  }
  for (const name of names) {
    const method = findMethod(name);
    if (method === undefined) {
      throw new UsageError(`unknown method ${JSON.stringify(name)}`);
    }
    if (!Object.hasOwn(method.operations, plan.operation)) {
      throw new UsageError(`method ${JSON.stringify(name)} cannot perform ${plan.operation}`);
    }
    plan.methods.push(method);
  }
}

function check(plan) {
  const { operation, paths, size, block, word } = plan;
  if (!TAKES_NO_PATH.includes(operation) && paths.length === 0) {
    throw new UsageError('--path is missing');
  }
  if (TAKES_SIZE.includes(operation) && size === null) {
    throw new UsageError(`${operation} needs --size`);
  }
  if (TAKES_BLOCKS.includes(operation) && places(plan) < 1) {
    throw new UsageError(`a file of ${size} bytes has no such block of ${block} bytes`);
  }
  if (operation === 'write-block' && block > POOL_BYTES) {
    throw new UsageError(`--block of write-block must be at most ${POOL_BYTES}`);
  }
  if (TAKES_DIRECTORY.includes(operation)) {
    checkDirectory(plan);
  }
  if (word === '') {
    throw new UsageError('--word must not be empty');
  }
}

function checkDirectory({ operation, directory }) {
  if (directory === null) {
    throw new UsageError(`${operation} needs --directory`);
  }
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--directory: ${JSON.stringify(directory)} is no directory`);
  }
}

function number(flag, text, least) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`${flag}: ${JSON.stringify(text)} is not a number from ${least} on`);
  }
  return value;
}

function seed(flag, text) {
  if (!/^\d+$/.test(text) || BigInt(text) >= 1n << 64n) {
    throw new UsageError(`${flag}: ${JSON.stringify(text)} is not a number of 64 bits`);
  }
  return BigInt(text);
}

function isSecond(flag, word, first, second) {
  if (word !== first && word !== second) {
    throw new UsageError(`${flag}: ${JSON.stringify(word)} is neither ${first} nor ${second}`);
  }
  return word === second;
}

function oneOf(flag, word, words) {
  if (!words.includes(word)) {
    throw new UsageError(`${flag}: ${JSON.stringify(word)} is none of ${words.join(', ')}`);
  }
  return word;
}
