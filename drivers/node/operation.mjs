// The words for operations and for the ways in which methods answer. What the
// operations mean stands in PROTOCOL.md.

export const OPERATIONS = [
  'null',
  'open-close',
  'open-missing',
  'open-write-close',
  'open-read-close',
  'read-whole',
  'read-block',
  'lines',
  'search',
  'hash',
  'create',
  'write-block',
  'copy',
  'config-load',
  'reload',
];

/** Returns when it is done. */
export const SYNC = 'sync';
/** Returns a promise. */
export const PROMISE = 'promise';
/** Calls back. */
export const CALLBACK = 'callback';
