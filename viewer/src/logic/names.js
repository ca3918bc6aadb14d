/** Names of falling length, so that a narrow box still says the most telling part. */

/**
 * The full name, then shorter ways to say it; the last is the shortest.
 * @param {string} name
 * @returns {string[]}
 */
export function shorter(name) {
  const names = [name];
  const add = (/** @type {string | undefined} */ text) => {
    if (text && text.length < /** @type {string} */ (names[names.length - 1]).length) names.push(text);
  };
  const python = /^(.*?)([^/\\]+\.py)\((\d+)\): (.+)$/.exec(name);
  if (python) {
    add(`${python[4]} · ${python[2]}:${python[3]}`);
    add(python[4]);
    return names;
  }
  if (name.startsWith('nn.Module: ')) {
    add(name.slice(11));
    return names;
  }
  if (/[<(]/.test(name) && /::|^void /.test(name)) {
    const bare = withoutBrackets(name.replace(/^void /, ''));
    const telling = tellingPart(name, bare);
    if (telling !== undefined) return [name, ...telling];
    add(bare);
    add(bare.split('::').pop());
    return names;
  }
  add(/^(?:aten|c10d?|torch|vllm|_C)::(.+)$/.exec(name)?.[1]);
  return names;
}

/**
 * Kernels whose own name says nothing are told by a part of their template arguments: the tile of a
 * library's GEMM, the functor of an elementwise kernel.
 * @param {string} name
 * @param {string} bare
 * @returns {string[] | undefined}
 */
function tellingPart(name, bare) {
  if (/\b(Kernel2?|device_kernel)$/.test(bare)) {
    const argument = /<\s*([\w:]+)/.exec(name)?.[1];
    const tile = argument && /[a-z]*\d*gemm\w*?_\d+x\d+(?:x\d+)?/.exec(argument)?.[0];
    return argument ? [`${bare}<${argument}>`, argument, ...(tile ? [tile] : [])] : undefined;
  }
  const functor = /elementwise|reduce/.test(bare) && /(\w+(?:Functor|_functor)\w*|\w+_kernel_cuda)/.exec(name)?.[1];
  if (!functor) return undefined;
  const last = bare.split('::').pop() ?? bare;
  return [`${last}<${functor}>`, functor];
}

/**
 * A C++ name without template arguments and parameters.
 * @param {string} name
 */
function withoutBrackets(name) {
  let depth = 0;
  let out = '';
  for (const char of name.replaceAll('(anonymous namespace)::', '')) {
    if (char === '<' || char === '(') depth++;
    if (depth === 0) out += char;
    if (char === '>' || char === ')') depth--;
  }
  return out.trim();
}

/**
 * The name of a module without its number: `nn.Module: Layer_12` is like `nn.Module: Layer_3`.
 * @param {string} name
 */
export function withoutIndex(name) {
  return name.startsWith('nn.Module: ') ? name.replace(/_\d+$/, '') : name;
}
