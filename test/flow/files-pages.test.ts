// The examples on the pages about files work as shown.
import { expect, test } from "bun:test";
import { scratch } from "../scratch.ts";
import { pageText, playTranscripts, readTranscripts } from "../transcript.ts";

for (const page of ["read", "write", "search", "find"])
  test(`docs/tools/${page}.md shows what really happens`, async () => {
    using dir = scratch();
    const text = await pageText(`tools/${page}.md`);
    const { steps } = readTranscripts(text);
    expect(steps.length).toBeGreaterThan(0);
    expect(await playTranscripts(dir, text)).toEqual(steps);
  }, 120_000);
