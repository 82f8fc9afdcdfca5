// What the pages about tools show is what happens.
import { expect, test } from "bun:test";
import { scratch } from "../scratch.ts";
import { pageText, playTranscripts, readTranscripts } from "../transcript.ts";

for (const page of ["edit", "ast_grep", "ast_edit", "resolve", "todo", "checkpoint", "rewind", "search_tool_bm25"])
  test(`docs/tools/${page}.md shows what really happens`, async () => {
    using dir = scratch();
    const text = await pageText(`tools/${page}.md`);
    const { steps } = readTranscripts(text);
    expect(steps.length).toBeGreaterThan(0);
    expect(await playTranscripts(dir, text)).toEqual(steps);
  });
