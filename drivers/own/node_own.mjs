// Functions of a user's file as methods: what it exports, called with a path. The file is imported from its own
// place, so that its imports work; own_place.mjs says where that is, own_source.txt what was read there.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { PROMISE, SYNC } from './operation.mjs';
import { PLACE } from './own_place.mjs';

const AsyncFunction = (async () => {}).constructor;
const GENERATORS = ['GeneratorFunction', 'AsyncGeneratorFunction'];

/** The functions that the file exports, by name. */
async function exported() {
  const source = readFileSync(new URL('own_source.txt', import.meta.url), 'utf8');
  if (readFileSync(PLACE, 'utf8') !== source) {
    throw new Error(`${PLACE} was changed while it was measured`);
  }
  const { default: whole, ...named } = await import(pathToFileURL(PLACE).href);
  if (typeof whole === 'function') {
    named[whole.name in named || whole.name === '' ? 'default' : whole.name] ??= whole;
  } else if (typeof whole === 'object' && whole !== null) {
    // A CommonJS module's exports.
    Object.assign(named, whole);
  }
  delete named['module.exports'];
  return Object.entries(named).filter(([, value]) => typeof value === 'function');
}

function misfit(value) {
  if (GENERATORS.includes(value.constructor.name)) {
    return 'is a generator';
  }
  if (/^class\b/.test(Function.prototype.toString.call(value))) {
    return 'is a class';
  }
  return value.length === 1 ? undefined : `takes ${value.length} arguments`;
}

function failure(path, words) {
  const text = `${path} (${words.replace(/\s+/g, ' ')})`;
  return Object.assign(new Error(words), { code: 'EIO', syscall: 'function', path: text });
}

/** What a user's code threw: an error of the system's as it is, any other with its words behind the path. */
function explained(error, path) {
  const isSystem = typeof error?.code === 'string' && typeof error.syscall === 'string';
  return isSystem ? error : failure(path, String(error));
}

/** Text of ASCII alone is looked at as it is; other text has to be encoded to be compared. */
const plain = new Map();

function deliver(result, path, sink) {
  if (ArrayBuffer.isView(result)) {
    const data = result instanceof Uint8Array ? result : new Uint8Array(result.buffer, result.byteOffset, result.byteLength);
    sink.take(data, 0, data.length);
  } else if (typeof result === 'string') {
    if (!plain.has(path)) {
      plain.set(path, Buffer.byteLength(result) === result.length);
    }
    if (plain.get(path)) {
      sink.takeText(result);
    } else {
      const data = Buffer.from(result);
      sink.take(data, 0, data.length);
    }
  } else if (typeof result === 'bigint' ? result >= 0n : Number.isSafeInteger(result) && result >= 0) {
    sink.takeCount(0, Number(result));
  } else if (result instanceof ArrayBuffer) {
    sink.take(new Uint8Array(result), 0, result.byteLength);
  } else {
    throw failure(path, `returned ${typeof result === 'object' ? result?.constructor?.name ?? result : String(result)}, not bytes, text or a count`);
  }
}

/** The function as `read-whole`. Whether it returns promises is known when it has been called once. */
function reader(value, method) {
  return (path, sink) => {
    let result;
    try {
      result = value(path);
    } catch (error) {
      throw explained(error, path);
    }
    if (typeof result?.then !== 'function') {
      method.style = SYNC;
      deliver(result, path, sink);
      return undefined;
    }
    return result.then(
      (data) => deliver(data, path, sink),
      (error) => {
        throw explained(error, path);
      },
    );
  };
}

/** Beside the user's functions only `null`: the kit's own ways are the shipped driver's. */
export async function replaceMethods(methods) {
  const own = (await exported()).map(([name, value]) => {
    const kind = value instanceof AsyncFunction ? 'async ' : '';
    const method = { name, does: `${kind}${name}(path)`, style: PROMISE, isOwn: true, unavailable: misfit(value) };
    method.operations = { 'read-whole': reader(value, method) };
    return method;
  });
  const kept = methods.filter(({ name }) => name === 'null');
  methods.splice(0, methods.length, ...kept, ...own);
}
