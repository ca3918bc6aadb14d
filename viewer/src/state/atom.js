/**
 * A value that tells when it changes.
 *
 * @template Value
 * @typedef {object} Atom
 * @property {() => Value} get
 * @property {(value: Value) => void} set
 * @property {(listener: (value: Value, before: Value) => void) => void} listen
 */

/**
 * @template Value
 * @param {Value} initial
 * @returns {Atom<Value>}
 */
export function atom(initial) {
  let value = initial;
  /** @type {((value: Value, before: Value) => void)[]} */
  const listeners = [];
  return {
    get: () => value,
    set(next) {
      const before = value;
      value = next;
      for (const listener of listeners) listener(next, before);
    },
    listen: (listener) => void listeners.push(listener),
  };
}
