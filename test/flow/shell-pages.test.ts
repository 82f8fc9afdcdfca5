// The examples on the pages about the shell work as shown.
import { expect, test } from "bun:test";
import { scratch } from "../scratch.ts";
import { pageText, playTranscripts, readTranscripts } from "../transcript.ts";

for (const page of ["bash", "job"])
  test(`docs/tools/${page}.md shows what really happens`, async () => {
    using dir = scratch();
    const text = await pageText(`tools/${page}.md`);
    const { steps } = readTranscripts(text);
    expect(steps.length).toBeGreaterThan(1);
    expect(await playTranscripts(dir, text)).toEqual(steps);
  });
