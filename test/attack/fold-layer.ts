// A file system in memory whose names fold as on a Mac: case does not count, nor how letters are composed; a name is
// listed as it was made. Spoken in the words of <linux/fuse.h>. Started as root: `fold-layer.ts <folder>`.
import { dlopen } from "bun:ffi";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { folded } from "../../packages/kit/src/index.ts";

interface Node {
  id: bigint;
  mode: number;
  bytes: Buffer;
  /** Entries by their folded names. */
  entries: Map<string, { name: string; node: Node }>;
  links: number;
  changed: number;
}

const [folder, directory, file, link] = [process.argv[2] ?? "", 0o040000, 0o100000, 0o120000];
const nodes = new Map<bigint, Node>();

function make(mode: number, bytes: Buffer = Buffer.alloc(0)): Node {
  const id = BigInt(nodes.size + 1);
  const node = { id, mode, bytes, entries: new Map(), links: 1, changed: Date.now() };
  nodes.set(id, node);
  return node;
}

class Refusal extends Error {
  readonly errno: number;
  constructor(errno: number) {
    super(String(errno));
    this.errno = errno;
  }
}
const nothing: Buffer = Buffer.alloc(0);
const [missing, exists, notEmpty, noCall] = [2, 17, 39, 38];

const textsOf = (bytes: Buffer): string[] => bytes.toString("utf8").split("\0").slice(0, -1);
const isFolder = ({ mode }: Node): boolean => (mode & 0o170000) === directory;

function find(parent: Node, name: string): { name: string; node: Node } {
  const entry = parent.entries.get(folded(name));
  if (!entry) throw new Refusal(missing);
  return entry;
}

function put(parent: Node, name: string, node: Node): Node {
  if (parent.entries.has(folded(name))) throw new Refusal(exists);
  parent.entries.set(folded(name), { name, node });
  parent.changed = Date.now();
  return node;
}

function take(parent: Node, name: string): { name: string; node: Node } {
  const entry = find(parent, name);
  if (isFolder(entry.node) && entry.node.entries.size > 0) throw new Refusal(notEmpty);
  parent.entries.delete(folded(name));
  parent.changed = Date.now();
  entry.node.links--;
  return entry;
}

function removed(node: Node, body: Buffer): Buffer {
  take(node, textsOf(body)[0] ?? "");
  return nothing;
}

function attributes({ id, mode, bytes, links, changed }: Node): Buffer {
  const out = Buffer.alloc(88);
  const seconds = BigInt(Math.floor(changed / 1000));
  [id, BigInt(bytes.length), 1n, seconds, seconds, seconds].forEach(
    (value, n) => void out.writeBigUInt64LE(value, 8 * n),
  );
  const rest = (changed % 1000) * 1e6;
  [rest, rest, rest, mode, links, 0, 0, 0, 4096, 0].forEach((value, n) => void out.writeUInt32LE(value, 48 + 4 * n));
  return out;
}

function entryOut(node: Node): Buffer {
  const head = Buffer.alloc(40);
  head.writeBigUInt64LE(node.id, 0);
  return Buffer.concat([head, attributes(node)]);
}
const attributesOut = (node: Node): Buffer => Buffer.concat([Buffer.alloc(16), attributes(node)]);
const opened = Buffer.alloc(16);

function listing({ entries }: Node, from: number, size: number): Buffer {
  const rows: Buffer[] = [];
  let length = 0;
  for (const [n, { name, node }] of [...entries.values()].entries()) {
    if (n < from) continue;
    const bytes = Buffer.from(name);
    const row = Buffer.alloc(Math.ceil((24 + bytes.length) / 8) * 8);
    row.writeBigUInt64LE(node.id, 0);
    row.writeBigUInt64LE(BigInt(n + 1), 8);
    row.writeUInt32LE(bytes.length, 16);
    row.writeUInt32LE(node.mode >> 12, 20);
    bytes.copy(row, 24);
    length += row.length;
    if (length > size) break;
    rows.push(row);
  }
  return Buffer.concat(rows);
}

function setAttributes(node: Node, body: Buffer): Buffer {
  const wanted = body.readUInt32LE(0);
  if (wanted & 1) node.mode = (node.mode & 0o170000) | (body.readUInt32LE(68) & 0o7777);
  if (wanted & 8) node.bytes = Buffer.concat([node.bytes], Number(body.readBigUInt64LE(16)));
  node.changed = wanted & 32 ? Number(body.readBigUInt64LE(40)) * 1000 : Date.now();
  return attributesOut(node);
}

function write(node: Node, body: Buffer): Buffer {
  const [offset, size] = [Number(body.readBigUInt64LE(8)), body.readUInt32LE(16)];
  const end = offset + size;
  if (end > node.bytes.length) node.bytes = Buffer.concat([node.bytes], end);
  body.copy(node.bytes, offset, 40, 40 + size);
  node.changed = Date.now();
  const out = Buffer.alloc(8);
  out.writeUInt32LE(size, 0);
  return out;
}

function rename(node: Node, to: bigint, [from = "", name = ""]: string[]): Buffer {
  const target = nodes.get(to) as Node;
  const { node: moved } = find(node, from);
  const there = target.entries.get(folded(name));
  if (there && there.node !== moved) take(target, name);
  node.entries.delete(folded(from));
  target.entries.delete(folded(name));
  put(target, name, moved);
  return nothing;
}

/** Answers, by the numbers of <linux/fuse.h>. */
const answers: Readonly<Record<number, (node: Node, body: Buffer) => Buffer>> = {
  1: (node, body) => entryOut(find(node, textsOf(body)[0] ?? "").node),
  3: attributesOut,
  4: setAttributes,
  5: ({ bytes }) => bytes,
  6: (node, body) =>
    entryOut(put(node, textsOf(body)[0] ?? "", make(link | 0o777, Buffer.from(textsOf(body)[1] ?? "")))),
  8: (node, body) => entryOut(put(node, textsOf(body.subarray(16))[0] ?? "", make(body.readUInt32LE(0)))),
  9: (node, body) =>
    entryOut(put(node, textsOf(body.subarray(8))[0] ?? "", make(directory | (body.readUInt32LE(0) & 0o7777)))),
  10: removed,
  11: removed,
  12: (node, body) => rename(node, body.readBigUInt64LE(0), textsOf(body.subarray(8))),
  13: (node, body) => {
    const old = nodes.get(body.readBigUInt64LE(0)) as Node;
    old.links++;
    return entryOut(put(node, textsOf(body.subarray(8))[0] ?? "", old));
  },
  14: () => opened,
  15: ({ bytes }, body) => {
    const from = Number(body.readBigUInt64LE(8));
    return bytes.subarray(from, from + body.readUInt32LE(16));
  },
  16: write,
  17: () => {
    const out = Buffer.alloc(80);
    [1e6, 1e6, 1e6, 1e6, 1e6].forEach((value, n) => void out.writeBigUInt64LE(BigInt(value), 8 * n));
    [4096, 255, 4096].forEach((value, n) => void out.writeUInt32LE(value, 40 + 4 * n));
    return out;
  },
  18: () => nothing,
  20: () => nothing,
  25: () => nothing,
  26: () => {
    const out = Buffer.alloc(64);
    [7, 31, 65536, 0, 0, 65536, 1].forEach((value, n) => void out.writeUInt32LE(value, 4 * n));
    return out;
  },
  27: () => opened,
  28: (node, body) => listing(node, Number(body.readBigUInt64LE(8)), body.readUInt32LE(16)),
  29: () => nothing,
  30: () => nothing,
  34: () => nothing,
  35: (node, body) => {
    const made = make(file | (body.readUInt32LE(4) & 0o7777));
    return Buffer.concat([entryOut(put(node, textsOf(body.subarray(16))[0] ?? "", made)), opened]);
  },
  45: (node, body) => rename(node, body.readBigUInt64LE(0), textsOf(body.subarray(16))),
};
/** Requests that want no answer. */
const silent = [2, 36, 42];

make(directory | 0o777);
const device = openSync("/dev/fuse", "r+");
const { mount } = dlopen("libc.so.6", {
  mount: { args: ["cstring", "cstring", "cstring", "u64", "cstring"], returns: "i32" },
}).symbols;
const c = (text: string) => Buffer.from(`${text}\0`);
const options = `fd=${device},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions`;
if (mount(c("fold"), c(folder), c("fuse"), 6, c(options)) !== 0) throw new Error("not mounted");
writeSync(1, "mounted");
const request = Buffer.alloc(1024 * 1024);
for (;;) {
  let length: number;
  try {
    length = readSync(device, request, 0, request.length, null);
  } catch {
    break;
  }
  const [opcode, unique, node] = [
    request.readUInt32LE(4),
    request.readBigUInt64LE(8),
    nodes.get(request.readBigUInt64LE(16)),
  ];
  if (silent.includes(opcode)) continue;
  let [error, body] = [0, nothing];
  try {
    const answer = answers[opcode];
    if (!answer || (!node && opcode !== 26)) throw new Refusal(noCall);
    // The body is used again by the next request.
    body = answer(node as Node, Buffer.from(request.subarray(40, length)));
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    error = -thrown.errno;
  }
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + body.length, 0);
  head.writeInt32LE(error, 4);
  head.writeBigUInt64LE(unique, 8);
  writeSync(device, Buffer.concat([head, body]));
}
closeSync(device);
