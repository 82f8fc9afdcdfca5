import { basename } from "node:path";
import { openBytes, type Packing } from "./bytes.ts";
import { type Format, fault } from "./entry.ts";

const step = 256 * 1024;

/** A file that was packed by itself: `server.log.gz` holds `server.log`. */
export const single = (packing: Packing): Format => ({
  list: async (path) => ({ entries: [{ name: nameIn(path), type: "file", size: 0 }], cut: "complete" }),
  async *pieces(path, name, signal) {
    if (name !== nameIn(path)) throw fault.noMember(name);
    await using bytes = openBytes(path, packing, signal);
    for (let next = await bytes.take(step); next.length > 0; next = await bytes.take(step)) {
      if (bytes.absurd()) throw fault.absurd();
      yield next;
    }
  },
  copy() {
    throw fault.unsupported("it is one packed file; nothing can be put into it");
  },
});

const nameIn = (path: string): string => basename(path).replace(/\.[^.]+$/, "");
