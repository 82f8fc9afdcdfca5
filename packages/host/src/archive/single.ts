import { basename } from "node:path";
import { formatBytes } from "@pith/kit";
import { openBytes, type Packing } from "./bytes.ts";
import { ArchiveFault, type Format } from "./entry.ts";

const piece = 256 * 1024;

/** One file that was packed by itself: `server.log.gz` holds `server.log`. */
export const single = (packing: Packing): Format => ({
  list: async (path) => ({ entries: [{ name: nameIn(path), type: "file", size: 0 }], cut: "complete" }),
  async read(path, name, max, signal) {
    mustBe(path, name);
    await using bytes = openBytes(path, packing, signal);
    const content = await bytes.take(max + 1);
    if (content.length > max || bytes.absurd())
      throw new ArchiveFault("large", `${name} unpacks to more than ${formatBytes(max)}`);
    return Buffer.from(content);
  },
  async *pieces(path, name, signal) {
    mustBe(path, name);
    await using bytes = openBytes(path, packing, signal);
    for (let next = await bytes.take(piece); next.length > 0; next = await bytes.take(piece)) {
      if (bytes.absurd()) throw new ArchiveFault("large", "it unpacks to absurdly much");
      yield next;
    }
  },
  copy: () => Promise.reject(new ArchiveFault("unsupported", "it is one packed file; nothing can be put into it")),
});

const nameIn = (path: string): string => basename(path).replace(/\.[^.]+$/, "");

function mustBe(path: string, name: string): void {
  if (name !== nameIn(path)) throw new ArchiveFault("no-member", `there is no ${name} in it`);
}
