// Run with --allow-natives-syntax: V8 gives the code of `outer` up while it stands in the call of `look`.
'use strict';
const fs = require('fs');

class Counter {
  count() {
    return 1;
  }
}

function look(path, changes) {
  if (changes) Counter.prototype.count = () => 2;
  for (let round = 0; changes && round < 12; round++) fs.statSync(path);
  return 1;
}

function outer(counter, changes) {
  let sum = counter.count();
  sum += counter.count() +

    look('given', changes); // OUTER
  sum += counter.count();
  if (sum < 0) {
    sum += look('given', changes);
  }
  return sum;
}

%NeverOptimizeFunction(look);
const counter = new Counter();
%PrepareFunctionForOptimization(outer);
outer(counter, false);
outer(counter, false);
%OptimizeFunctionOnNextCall(outer);
outer(counter, false);
outer(counter, true);
