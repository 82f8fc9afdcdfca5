// The examples on the pages about tools work as shown.
import { expect, test } from "bun:test";
import { scratch } from "../scratch.ts";
import { pageText, playTranscripts, readTranscripts } from "../transcript.ts";

const tools = ["edit", "ast_grep", "ast_edit", "resolve", "todo", "checkpoint", "rewind", "load_tools"];
for (const page of [...tools.map((name) => `tools/${name}`), "long-sessions"])
  test(`docs/${page}.md shows what really happens`, async () => {
    using dir = scratch();
    const text = await pageText(`${page}.md`);
    const { steps } = readTranscripts(text);
    expect(steps.length).toBeGreaterThan(0);
    expect(await playTranscripts(dir, text)).toEqual(steps);
  });
