/** What each weight is called, and what its width means, in the words of a user. */

/** @type {Readonly<Record<string, { title: string, meaning: string }>>} */
const WEIGHTS = {
  gpu: { title: 'GPU time', meaning: 'Device time, charged to the code that launched it. Kernels that run at once both count in full, so the sum may exceed wall time.' },
  'gpu-busy': { title: 'GPU busy', meaning: 'Device time by the clock: kernels that run at once share each nanosecond. Sums to the busy time.' },
  idle: { title: 'GPU idle', meaning: 'Time in which the device had nothing to run, charged to what the host was doing meanwhile.' },
  wall: { title: 'Host wall', meaning: 'Host time by innermost frame, waits included.' },
  cpu: { title: 'Host CPU', meaning: 'Host time without known blocking calls.' },
  'sync-absorbed': { title: 'Sync, GPU busy', meaning: 'Host time in blocking calls while the device was busy: harmless in itself.' },
  'sync-exposed': { title: 'Sync, GPU idle', meaning: 'Host time in blocking calls while the device was idle.' },
  launches: { title: 'Launches', meaning: 'Number of kernel and graph launches.' },
  copies: { title: 'Copies', meaning: 'Number of copies and fills.' },
  'copy-bytes': { title: 'Copy bytes', meaning: 'Bytes moved by copies.' },
  calls: { title: 'Calls', meaning: 'How often a frame was entered.' },
};

/** @param {string} weight */
export function weightTitle(weight) {
  return WEIGHTS[weight]?.title ?? weight;
}

/** @param {string} weight */
export function weightMeaning(weight) {
  return WEIGHTS[weight]?.meaning ?? asTheFileSays(weight);
}

/** @param {string} weight */
export function asTheFileSays(weight) {
  return `“${weight}”, as the file gives it.`;
}
