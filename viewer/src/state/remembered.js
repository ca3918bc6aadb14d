/** Small choices that outlive the page: the theme, hints that were read. Lost where there is no storage. */

const PREFIX = 'flamelane.';

/**
 * @param {string} key
 * @returns {string} empty when nothing is remembered
 */
export function recall(key) {
  try {
    return localStorage.getItem(PREFIX + key) ?? '';
  } catch {
    return '';
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // Private windows and strict settings have no storage: the choice lasts as long as the page.
  }
}
