// What the pages about files show is what happens. `data/` holds the documents, archives and databases of
// test/data/files.
import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { root } from "../need.ts";
import { scratch } from "../scratch.ts";
import { pageText, playTranscripts, readTranscripts } from "../transcript.ts";

for (const page of ["read", "write", "search", "find"])
  test(`docs/tools/${page}.md shows what really happens`, async () => {
    using dir = scratch();
    cpSync(join(root, "test", "data", "files"), dir.at("work", "data"), { recursive: true });
    const text = await pageText(`tools/${page}.md`);
    const { steps } = readTranscripts(text);
    expect(steps.length).toBeGreaterThan(0);
    expect(await playTranscripts(dir, text)).toEqual(steps);
  }, 120_000);
