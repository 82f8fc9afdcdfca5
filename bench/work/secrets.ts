// 100 MB of output looked at for keys, chunk by chunk as it comes from a command. The floor copies the chunks.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Secrets } from "../../packages/coder/src/secret/secrets.ts";
import { scratch } from "../../packages/kit/src/test/index.ts";
import type { Work } from "../work.ts";

const size = 100_000_000;
const chunk = 64 * 1024;
const docs = join(import.meta.dir, "..", "..", "docs");

/** Pages and a log with a key in it now and then. */
function text(): Buffer {
  const pages = readdirSync(docs).flatMap((name) => (name.endsWith(".md") ? [readFileSync(join(docs, name))] : []));
  const key = Buffer.from(`token=ghp_${"a1B2c3D4e5F6".repeat(3)}\n`);
  const part = Buffer.concat([...pages, key]);
  return Buffer.concat(Array.from({ length: Math.ceil(size / part.length) }, () => part)).subarray(0, size);
}

const all = text();
const chunks = Array.from({ length: Math.ceil(size / chunk) }, (_, at) => all.subarray(at * chunk, (at + 1) * chunk));

function timed(take: (bytes: Uint8Array) => number): number {
  const began = performance.now();
  let bytes = 0;
  for (const part of chunks) bytes += take(part);
  if (bytes < size / 2) throw new Error("something is missing");
  return performance.now() - began;
}

export default {
  title: "100 MB of output looked at for keys",
  async pith() {
    using dir = scratch();
    const env = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`A${at}_TOKEN`, `value-${at}-of-a-secret`]));
    const stream = new Secrets({ env, home: dir.path }).stream();
    return { masked: timed((part) => stream.push(part).length) };
  },
  floor: async () => ({ masked: timed((part) => Buffer.from(part).length) }),
  measures: [{ of: "masked", title: "masked", unit: "ms", goal: { atMost: 1500 } }],
} satisfies Work;
