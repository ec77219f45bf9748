// What a task has, and what each of these is unless it says otherwise.

import { SYNC } from './operation.mjs';

/**
 * style     how the phases' functions end,
 * phases    functions that perform a part of an operation each, nearly always one: (which path, at, sink,
 *           done); `at` is the operation's offset, or its number in the batch where it has none,
 * takeUp    opens what the task keeps between batches, unless it is open,
 * release   closes it,
 * begin     makes what the operations of a batch find: (number of the first, how many),
 * finish    ends a batch while the clock still runs, null where nothing is to be done,
 * end       closes what a batch left open,
 * readBack  for `verify`, delivers what was written to a sink,
 * pathOf    the path of an operation by its number in the batch, where it is none of the plan's paths.
 */
export function newPlainTask(task) {
  return {
    style: SYNC,
    takeUp() {},
    release() {},
    begin() {},
    finish: null,
    end() {},
    readBack: null,
    pathOf: null,
    ...task,
  };
}
