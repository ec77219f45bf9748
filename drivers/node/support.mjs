// What a method cannot do, and the reason, as far as the arguments tell.

import { UnsupportedError } from './failure.mjs';

/** Throws where the method cannot do what is asked. */
export function checkSupport(plan, method) {
  const reason = method.unavailable ?? refusal(plan, method);
  if (reason !== null) {
    throw new UnsupportedError(`${method.name}: ${reason}`);
  }
}

function refusal(plan, method) {
  if (plan.buffer === 'stack') {
    return 'JavaScript puts no buffer on the stack';
  }
  const { operation, algorithm, sync, threads, queueDepth, format, sequential } = plan;
  if (operation === 'hash' && algorithm !== 'md5') {
    return 'Node.js has no XXH64';
  }
  if (['create', 'write-block', 'copy'].includes(operation) && sync === 'syncfs') {
    return 'Node.js has no syncfs';
  }
  if (method.name === 'null') {
    return null;
  }
  if (operation === 'read-block' || operation === 'read-whole') {
    if (threads > 1) {
      return `its ${operation} is done on one thread`;
    }
    return queueDepth > 1 ? 'it reads one block after the other' : null;
  }
  if (operation === 'config-load') {
    return format === 'json' ? null : `Node.js has no parser of ${format}`;
  }
  const way = method.operations[operation];
  if (operation === 'create') {
    if (plan.close !== 'each' && way.open === undefined) {
      return 'it closes the file by itself';
    }
    return sync === 'fsync' && !way.canSync ? 'its option flush came with Node.js 20.10 and 21' : null;
  }
  if (operation === 'write-block') {
    return way.inOrder && !sequential ? 'it writes in order only' : null;
  }
  return operation === 'copy' && sync === 'fsync' && !way.canSync
    ? 'it has no way to sync the copy before it is closed'
    : null;
}
