/**
 * The menu that saves what a view shows as a file.
 *
 * @import { App } from '#viewer/views/app.js'
 *
 * @typedef {object} Export
 * @property {string} title
 * @property {string} ending of the file's name
 * @property {string} type of its content
 * @property {() => BlobPart | undefined | Promise<BlobPart | undefined>} make nothing while there is nothing to save
 */

import { h } from '#viewer/lib/dom.js';
import { currentFile } from '#viewer/views/app.js';

/**
 * @param {App} app
 * @param {() => string} what the view shows, as a part of the file's name
 * @param {readonly Export[]} exports
 */
export function createExportMenu(app, what, exports) {
  const save = async (/** @type {Export} */ { ending, type, make }) => {
    element.open = false;
    const part = await make();
    if (part === undefined) return app.say('There is nothing to save yet');
    const name = fileName(app, what(), ending);
    download(name, part, type);
    app.say(`Saved as ${name}`);
  };
  const items = exports.map((one) => h('button', { type: 'button', role: 'menuitem', onclick: () => void save(one) }, one.title));
  const element = h('details', {
    class: 'menu',
    onkeydown: (/** @type {KeyboardEvent} */ event) => key(event),
    onfocusout: (/** @type {FocusEvent} */ event) => {
      if (event.relatedTarget instanceof Node && !element.contains(event.relatedTarget)) element.open = false;
    },
  }, h('summary', { class: 'button', title: 'Save what is on show as a file (e)' }, 'Export'),
  h('div', { class: 'menu-items', role: 'menu', 'aria-label': 'Export' }, items));
  const key = (/** @type {KeyboardEvent} */ event) => {
    const at = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' && element.open) {
      element.open = false;
      element.querySelector('summary')?.focus();
    } else if (by !== undefined && element.open) items[(at + by + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    element,
    open() {
      element.open = true;
      items[0]?.focus();
    },
  };
}

/**
 * @param {App} app
 * @param {string} what
 * @param {string} ending
 */
function fileName(app, what, ending) {
  const stem = currentFile(app).replace(/(\.pt)?(\.trace|\.speedscope)?(\.json|\.folded|\.txt|\.pprof|\.pb)?(\.gz|\.zst|\.tar\.gz)?$/, '') || 'profile';
  return `${stem}.${what}${ending}`.replace(/[^\p{L}\p{N}._-]+/gu, '_');
}

/**
 * @param {string} name
 * @param {BlobPart} part
 * @param {string} type
 */
function download(name, part, type) {
  const url = URL.createObjectURL(new Blob([part], { type }));
  const link = h('a', { href: url, download: name });
  link.click();
  // The browser has taken the content by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
