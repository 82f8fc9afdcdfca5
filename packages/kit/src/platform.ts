// Where the runtime matters: Bun's own hasher is there at once, node:crypto takes three milliseconds to load, and both
// hashing and zlib stand on the start path. On Node the modules are loaded at the first use.
interface Hasher {
  update(data: string | Uint8Array): Hasher;
  digest(form: "hex"): string;
}

export const hasher = (algorithm: "sha1" | "sha256"): Hasher =>
  typeof Bun === "undefined"
    ? process.getBuiltinModule("node:crypto").createHash(algorithm)
    : new Bun.CryptoHasher(algorithm);

/** On Node: a package, loaded where it is first used and without a wait, for what Bun has itself. */
export const requirePackage = <T>(name: string): T =>
  process.getBuiltinModule("node:module").createRequire(import.meta.url)(name) as T;

/**
 * On Node: what a package reads out of a text. Each has errors of its own; as with Bun, bad text is a SyntaxError here,
 * and what is nested too deeply a RangeError.
 */
export function parseWith<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    const { message } = error as Error;
    throw /call stack/.test(message) ? new RangeError(message) : new SyntaxError(message.split("\n", 1)[0]);
  }
}

export const zlib = (): typeof import("node:zlib") => process.getBuiltinModule("node:zlib");
