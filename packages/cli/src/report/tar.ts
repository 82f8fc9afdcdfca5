/** One member of an archive. */
export interface Member {
  name: string;
  bytes: Uint8Array;
}

/** An archive in the form that every tar reads, byte for byte what was put in. */
export function tarOf(members: readonly Member[], time: number): Buffer {
  const pieces = members.flatMap(({ name, bytes }) => [
    header(name, bytes.length, time),
    bytes,
    Buffer.alloc((block - (bytes.length % block)) % block),
  ]);
  return Buffer.concat([...pieces, Buffer.alloc(2 * block)]);
}

const block = 512;

function header(name: string, size: number, time: number): Buffer {
  const out = Buffer.alloc(block);
  const number = (value: number, at: number, length: number) =>
    out.write(
      `${Math.floor(value)
        .toString(8)
        .padStart(length - 1, "0")}\0`,
      at,
      "latin1",
    );
  const { prefix, rest } = parted(Buffer.from(name));
  rest.copy(out, 0);
  prefix.copy(out, 345);
  number(0o600, 100, 8);
  number(0, 108, 8);
  number(0, 116, 8);
  number(size, 124, 12);
  number(time / 1000, 136, 12);
  out.write("        ", 148, "latin1");
  out.write("0", 156, "latin1");
  out.write("ustar\x0000", 257, "latin1");
  const sum = out.reduce((all, byte) => all + byte, 0);
  out.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return out;
}

/** A name is kept in two fields that meet at a slash; of one that fits in neither way, the end. */
function parted(name: Buffer): { prefix: Buffer; rest: Buffer } {
  const none = Buffer.alloc(0);
  if (name.length <= 99) return { prefix: none, rest: name };
  const slash = name.indexOf("/", name.length - 100);
  if (slash === -1 || slash > 154) return { prefix: none, rest: name.subarray(-99) };
  return { prefix: name.subarray(0, slash), rest: name.subarray(slash + 1) };
}
