// Marks: two failing calls by which a tracer sees the clock's region.

import { existsSync } from 'node:fs';

export function markBegin() {
  existsSync('/fathom-mark/begin');
}

export function markEnd() {
  existsSync('/fathom-mark/end');
}
