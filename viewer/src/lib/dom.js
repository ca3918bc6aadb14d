/** Building DOM by hand. Text only ever arrives as text nodes: names are never parsed as HTML. */

/** @typedef {string | number | Node | null | undefined | false} Child */

/**
 * @typedef {Record<string, string | number | boolean | undefined | ((event: any) => void)>} Props
 */

/**
 * Makes an element. `on…` props become listeners, `true` an empty attribute, `false` and
 * `undefined` nothing.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} parent
 * @param {ReadonlyArray<Child | Child[]>} children
 */
export function append(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(typeof child === 'number' ? String(child) : child);
  }
}

/**
 * Replaces everything inside `parent`.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/**
 * Whether keys typed there belong to the element itself.
 * @param {EventTarget | null} target
 */
export function takesText(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    || target instanceof HTMLSelectElement;
}
