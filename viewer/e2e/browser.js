/** A browser for the tests: headless, offline, told what went wrong on the page. */

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** @type {readonly string[]} */
const PLACES = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function openBrowser() {
  const executablePath = PLACES.find((path) => path !== '' && existsSync(path));
  if (!executablePath) throw new Error('no Chromium found: install it, or name it in CHROMIUM');
  return chromium.launch({ executablePath, args: ARGS });
}

/**
 * Opens a file, or an address of this machine, as a page, with everything that the page complains about
 * or asks others for.
 * @param {import('playwright-core').Browser} browser
 * @param {string} file
 * @param {{ width?: number, height?: number, dark?: boolean, hash?: string, scale?: number }} [options]
 */
export async function openPage(browser, file, options = {}) {
  const { width = 1440, height = 900, dark = false, hash = '', scale = 1 } = options;
  const served = file.startsWith('http:');
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', deviceScaleFactor: scale, offline: !served,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('request', (request) => {
    const own = served && request.url().startsWith(file);
    if (!own && !/^(file|data|blob):/.test(request.url())) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(`${served ? '' : 'file://'}${file}${hash}`);
  await page.waitForSelector('.shell');
  return { page, complaints, context };
}
