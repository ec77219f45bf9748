// Failures: what the caller is told when an operation or the whole run fails.

/** This machine cannot perform a method. */
export class UnsupportedError extends Error {}

/** A file is shorter than it was said to be. */
export function shortRead(path) {
  return Object.assign(new Error('short read'), { code: 'ENODATA', syscall: 'read', path });
}

/** Fewer bytes were written than asked, which on a file means that it can grow no more. */
export function shortWrite() {
  return Object.assign(new Error('short write'), { code: 'ENOSPC', syscall: 'write' });
}

/** The answer for an operation that failed; anything but an operation's failure is thrown on. */
export function errorLine(error, path) {
  if (typeof error?.code !== 'string') {
    throw error;
  }
  return `error op=${error.syscall ?? 'operation'} errno=${errnoOf(error.code)} path=${error.path ?? path}\n`;
}

// Node's own limits have no errno; these come nearest.
const LIMITS = {
  ERR_FS_FILE_TOO_LARGE: 'EFBIG',
  ERR_STRING_TOO_LONG: 'EFBIG',
  ERR_BUFFER_TOO_LARGE: 'EFBIG',
  ERR_MEMORY_ALLOCATION_FAILED: 'ENOMEM',
};

function errnoOf(code) {
  return code.startsWith('ERR_') ? (LIMITS[code] ?? 'EIO') : code;
}
