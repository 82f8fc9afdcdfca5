/** A step of a pattern. A number is that byte; `**` and a slash become `deep` and `deeper`. */
type Step = number | Uint8Array | "any" | "star" | "all" | "deep" | "deeper";
export type Glob = readonly Step[];

const slash = 0x2f;
const star = 0x2a;
const backslash = 0x5c;
const open = 0x5b;

/**
 * Compiles a pattern of an ignore file. Text is bytes, one in each character, and no wildcard but `**` matches a slash.
 * Undefined for a pattern that matches nothing, such as an open bracket.
 */
export function compileGlob(pattern: string): Glob | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; ) {
    const code = pattern.charCodeAt(at);
    if (code === star) at = readStars(pattern, at, steps);
    else if (code === open) {
      const set = readSet(pattern, at + 1);
      if (!set) return undefined;
      steps.push(set.bytes);
      at = set.end;
    } else if (code === backslash) {
      if (at + 1 >= pattern.length) return undefined;
      steps.push(pattern.charCodeAt(at + 1));
      at += 2;
    } else {
      steps.push(pattern[at] === "?" ? "any" : code);
      at++;
    }
  }
  return steps;
}

/** Follows all ways through the pattern at once; takes the length of the pattern times that of the text at most. */
export function matchesGlob(glob: Glob, text: string): boolean {
  let now = new Uint8Array(glob.length + 1);
  enter(glob, now, 0);
  for (let at = 0; at < text.length; at++) {
    const next = new Uint8Array(glob.length + 1);
    const code = text.charCodeAt(at);
    let alive = false;
    for (let i = 0; i < glob.length; i++) {
      if (now[i] === 0) continue;
      const step = glob[i] as Step;
      const stays = step === "all" || step === "deeper" || (step === "star" && code !== slash);
      if (stays) enter(glob, next, i);
      const passes = passesStep(step, code);
      if (passes) enter(glob, next, i + 1);
      alive ||= stays || passes;
    }
    if (!alive) return false;
    now = next;
  }
  return now[glob.length] === 1;
}

function passesStep(step: Step, code: number): boolean {
  if (typeof step === "number") return step === code;
  if (typeof step === "object") return step[code] === 1;
  return step === "any" ? code !== slash : step === "deeper" && code === slash;
}

/** Marks a place in the pattern, and the next ones as long as a step may match nothing. */
function enter(glob: Glob, places: Uint8Array, from: number): void {
  for (let i = from; ; i++) {
    if (places[i] === 1) return;
    places[i] = 1;
    const step = glob[i];
    if (step === "deep") {
      places[i + 1] = 1;
      i++;
    } else if (step !== "star" && step !== "all") return;
  }
}

function readStars(pattern: string, at: number, steps: Step[]): number {
  let end = at;
  while (pattern.charCodeAt(end) === star) end++;
  const first = at === 0 || pattern.charCodeAt(at - 1) === slash;
  const [next, after] = [pattern.charCodeAt(end), pattern.charCodeAt(end + 1)];
  if (end - at === 1 || !first) steps.push("star");
  else if (next === slash) {
    steps.push("deep", "deeper");
    return end + 1;
  } else steps.push(end === pattern.length || (next === backslash && after === slash) ? "all" : "star");
  return end;
}

// Not an object: `[:constructor:]` is no class.
const classes: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[0-9A-Za-z]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the class
  ["cntrl", /[\0-\x1f\x7f]/],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t\n\v\f\r]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9A-Fa-f]/],
]);

/** Reads a bracket expression behind its bracket; undefined when it does not end or names an unknown class. */
function readSet(pattern: string, from: number): { bytes: Uint8Array; end: number } | undefined {
  const bytes = new Uint8Array(256);
  const negated = pattern[from] === "!" || pattern[from] === "^";
  const first = negated ? from + 1 : from;
  let at = first;
  for (let previous = 0; at === first || pattern[at] !== "]"; ) {
    const item = readItem(pattern, at, previous);
    if (!item) return undefined;
    for (const byte of item.bytes) bytes[byte] = 1;
    at = item.next;
    previous = item.begins;
  }
  if (negated) for (let byte = 0; byte < 256; byte++) bytes[byte] = bytes[byte] === 1 ? 0 : 1;
  bytes[slash] = 0;
  return { bytes, end: at + 1 };
}

const allBytes = Array.from({ length: 256 }, (_, byte) => byte);

/** Reads a letter, a range or a class of a bracket expression; `begins` is the letter that a range may begin with. */
function readItem(
  pattern: string,
  at: number,
  previous: number,
): { bytes: number[]; next: number; begins: number } | undefined {
  const [letter, next] = [pattern[at], pattern[at + 1]];
  if (letter === "-" && previous !== 0 && next !== undefined && next !== "]") {
    const last = letterAt(pattern, at + 1);
    return last && { bytes: allBytes.slice(previous, last.code + 1), next: last.next, begins: 0 };
  }
  const end = letter === "[" && next === ":" ? pattern.indexOf("]", at + 2) : undefined;
  if (end === -1) return undefined;
  if (end !== undefined && end > at + 2 && pattern[end - 1] === ":") {
    const named = classes.get(pattern.slice(at + 2, end - 1));
    const bytes = allBytes.filter((byte) => named?.test(String.fromCharCode(byte)));
    return named && { bytes, next: end + 1, begins: 0 };
  }
  const plain = letterAt(pattern, at);
  return plain && { bytes: [plain.code], next: plain.next, begins: plain.code };
}

function letterAt(pattern: string, at: number): { code: number; next: number } | undefined {
  const place = pattern.charCodeAt(at) === backslash ? at + 1 : at;
  return place < pattern.length ? { code: pattern.charCodeAt(place), next: place + 1 } : undefined;
}
