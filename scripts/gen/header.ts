// Reads the headers of a program file, so that a build for another system is known to be one that this system starts.
import type { Target } from "./target.ts";

/** Says why a file is no program for a target; undefined where it is one. */
export function faultOf(bytes: Uint8Array, target: Target): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const arm = target.includes("arm64");
  try {
    if (target.startsWith("linux")) return elfFault(view, arm, target.endsWith("musl"));
    return target.startsWith("darwin") ? machFault(view, arm) : peFault(view);
  } catch (error) {
    if (error instanceof RangeError) return "the file ends inside of its headers";
    throw error;
  }
}

const elf = { magic: 0x7f454c46, class64: 2, little: 1, x64: 62, arm64: 183, interpreter: 3 };

function elfFault(view: DataView, arm: boolean, musl: boolean): string | undefined {
  if (view.getUint32(0) !== elf.magic) return "no ELF file";
  if (view.getUint8(4) !== elf.class64 || view.getUint8(5) !== elf.little) return "no 64-bit little-endian file";
  if (view.getUint16(18, true) !== (arm ? elf.arm64 : elf.x64)) return "made for another processor";
  const first = Number(view.getBigUint64(32, true));
  const size = view.getUint16(54, true);
  for (let at = first; at < first + size * view.getUint16(56, true); at += size) {
    if (view.getUint32(at, true) !== elf.interpreter) continue;
    const loader = textAt(view, Number(view.getBigUint64(at + 8, true)), 256);
    return loader.includes("musl") === musl ? undefined : `its loader is ${loader}`;
  }
  return "it names no loader";
}

const mach = { magic: 0xfeedfacf, x64: 0x01000007, arm64: 0x0100000c, segment: 0x19, signature: 0x1d };
/** Structures of a code signature are big-endian, unlike the file. */
const signing = { blobs: 0xfade0cc0, directory: 0xfade0c02, adhoc: 2, sha256: 2 };

/** An ARM Mac kills a program whose signature is missing or does not cover every byte in front of it. */
function machFault(view: DataView, arm: boolean): string | undefined {
  if (view.getUint32(0, true) !== mach.magic) return "no 64-bit Mach-O file";
  if (view.getUint32(4, true) !== (arm ? mach.arm64 : mach.x64)) return "made for another processor";
  let at = 32;
  let linkedit: number | undefined;
  for (let command = view.getUint32(16, true); command > 0; command--) {
    const kind = view.getUint32(at, true);
    if (kind === mach.segment && textAt(view, at + 8, 16) === "__LINKEDIT")
      linkedit = Number(view.getBigUint64(at + 40, true) + view.getBigUint64(at + 48, true));
    if (kind === mach.signature) {
      const start = view.getUint32(at + 8, true);
      const end = start + view.getUint32(at + 12, true);
      if (end !== view.byteLength) return `its signature ends at ${end}, the file at ${view.byteLength}`;
      if (linkedit !== undefined && linkedit !== end) return `its last segment ends at ${linkedit}, the file at ${end}`;
      return signatureFault(view, start);
    }
    at += view.getUint32(at + 4, true);
  }
  return "it has no signature";
}

/** Compares the hash of every page in front of the signature with the one that the signature holds. */
function signatureFault(view: DataView, start: number): string | undefined {
  if (view.getUint32(start) !== signing.blobs) return "its signature cannot be read";
  const count = view.getUint32(start + 8);
  const places = Array.from({ length: count }, (_, index) => start + view.getUint32(start + 12 + 8 * index + 4));
  const at = places.find((place) => view.getUint32(place) === signing.directory);
  if (at === undefined) return "its signature holds no code directory";
  const [flags, hashes, slots, limit] = [12, 16, 28, 32].map((offset) => view.getUint32(at + offset));
  if (flags === undefined || hashes === undefined || slots === undefined || limit === undefined) return "unreadable";
  if ((flags & signing.adhoc) === 0) return "its signature is not ad hoc";
  if (view.getUint8(at + 37) !== signing.sha256) return "its signature does not use SHA-256";
  if (limit !== start) return `its signature covers ${limit} of ${start} bytes`;
  const page = 2 ** view.getUint8(at + 39);
  if (slots !== Math.ceil(limit / page)) return "its signature has not one hash per page";
  for (let slot = 0; slot < slots; slot++) {
    const bytes = bytesAt(view, slot * page, Math.min(page, limit - slot * page));
    const found = new Bun.CryptoHasher("sha256").update(bytes).digest();
    if (!found.equals(bytesAt(view, at + hashes + 32 * slot, 32))) return `page ${slot} differs from its signature`;
  }
  return undefined;
}

const pe = { dos: 0x4d5a, magic: 0x50450000, x64: 0x8664 };

function peFault(view: DataView): string | undefined {
  if (view.getUint16(0) !== pe.dos) return "no Windows program";
  const at = view.getUint32(0x3c, true);
  if (view.getUint32(at) !== pe.magic) return "no PE header";
  return view.getUint16(at + 4, true) === pe.x64 ? undefined : "made for another processor";
}

const bytesAt = (view: DataView, at: number, length: number) =>
  new Uint8Array(view.buffer, view.byteOffset + at, length);

function textAt(view: DataView, at: number, most: number): string {
  const bytes = bytesAt(view, at, Math.min(most, view.byteLength - at));
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(bytes.subarray(0, end < 0 ? undefined : end));
}
