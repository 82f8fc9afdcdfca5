// Signs a program for macOS ad hoc: with the hash of every page and no name. ARM Macs run nothing unsigned, and every
// Mac ends a program whose signature is of other bytes, as that of a runtime with something added is.

const command = { segment: 0x19, signature: 0x1d };
const magic = { blobs: 0xfade0cc0, directory: 0xfade0c02 };
const page = 4096;
const hashBytes = 32;
const directoryBytes = 88;
/** Version of the directory with the fields about the executable segment. */
const version = 0x20400;
const flags = { adhoc: 2, mainBinary: 1 };

/** Returns the file with a new signature in place of the one it has; throws where it has none. */
export function signAdHoc(program: Uint8Array, name: string): Uint8Array {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const { at, linkedit, text } = commandsOf(view);
  const limit = view.getUint32(at + 8, true);
  const slots = Math.ceil(limit / page);
  const hashes = directoryBytes + name.length + 1;
  const length = 20 + hashes + slots * hashBytes;
  const out = new Uint8Array(limit + length);
  out.set(program.subarray(0, limit));
  const file = new DataView(out.buffer);
  // The commands are signed too, so they change first.
  file.setUint32(at + 12, length, true);
  const size = BigInt(limit + length) - view.getBigUint64(linkedit + 40, true);
  file.setBigUint64(linkedit + 48, size, true);
  file.setBigUint64(linkedit + 32, ((size + 0x3fffn) / 0x4000n) * 0x4000n, true);
  const words = (place: number, ...values: number[]) =>
    values.forEach((value, index) => void file.setUint32(place + 4 * index, value));
  words(limit, magic.blobs, length, 1, 0, 20);
  const directory = limit + 20;
  words(directory, magic.directory, length - 20, version, flags.adhoc, hashes, directoryBytes, 0, slots, limit);
  out.set([hashBytes, 2, 0, Math.log2(page)], directory + 36);
  file.setBigUint64(directory + 72, view.getBigUint64(text + 48, true));
  file.setBigUint64(directory + 80, BigInt(flags.mainBinary));
  out.set(new TextEncoder().encode(name), directory + directoryBytes);
  for (let slot = 0; slot < slots; slot++) {
    const bytes = out.subarray(slot * page, Math.min((slot + 1) * page, limit));
    out.set(new Bun.CryptoHasher("sha256").update(bytes).digest(), directory + hashes + slot * hashBytes);
  }
  return out;
}

/** Finds the commands that place the signature, the last segment and the code. */
function commandsOf(view: DataView) {
  const found = new Map<string, number>();
  let at = 32;
  for (let left = view.getUint32(16, true); left > 0; left--) {
    const kind = view.getUint32(at, true);
    if (kind === command.signature) found.set("signature", at);
    if (kind === command.segment) {
      const bytes = new Uint8Array(view.buffer, view.byteOffset + at + 8, 16);
      found.set(new TextDecoder().decode(bytes).replaceAll("\0", ""), at);
    }
    at += view.getUint32(at + 4, true);
  }
  const [signature, linkedit, text] = ["signature", "__LINKEDIT", "__TEXT"].map((name) => found.get(name));
  if (signature === undefined || linkedit === undefined || text === undefined)
    throw new Error("the program has no place for a signature");
  return { at: signature, linkedit, text };
}
