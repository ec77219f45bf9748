// The lines on standard input: their grammar. What they cause stands in session.mjs.

/** A line that makes no sense. */
export class NonsenseError extends Error {}

/** Reads the words after `batch`. */
export function parseBatch([first, ...rest], methods) {
  const order = { method: 0, count: number(first), preroll: 0 };
  for (const word of rest) {
    const [, key, value] = /^(method|preroll)=(.*)$/.exec(word) ?? nonsense();
    order[key] = key === 'method' ? methodNumber(value, methods) : number(value);
  }
  return order;
}

/** Reads the words after `blocks`, each K:N:P. */
export function parseSchedule(words, methods) {
  if (words.length === 0) {
    nonsense();
  }
  return words.map((word) => {
    const [method, count, preroll, ...rest] = word.split(':');
    if (rest.length > 0) {
      nonsense();
    }
    return { method: methodNumber(method, methods), count: number(count), preroll: number(preroll) };
  });
}

/** Reads the words after `verify`. */
export function parseVerify(words, methods) {
  if (words.length === 0) {
    return 0;
  }
  const [, value] = (words.length === 1 && /^method=(.*)$/.exec(words[0])) || nonsense();
  return methodNumber(value, methods);
}

/** Words that take no others. */
export function parseAlone(words) {
  if (words.length > 0) {
    nonsense();
  }
}

export function nonsense() {
  throw new NonsenseError();
}

function methodNumber(text, methods) {
  const value = number(text);
  return value < methods ? value : nonsense();
}

// 48 bits, so that counts and pre-rolls can be added exactly.
function number(text) {
  return /^\d{1,20}$/.test(text) && Number(text) < 2 ** 48 ? Number(text) : nonsense();
}
