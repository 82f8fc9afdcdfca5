import { expect, test } from "bun:test";
import { editorOf } from "./editor.ts";

test("an editor that sends something else than text is one that cannot tell", async () => {
  const shows = (said: unknown) => {
    const context = { request: async () => said };
    return editorOf({ context, capabilities: { fs: { readTextFile: true } } } as never, () => "s")?.text("/a");
  };
  expect(await shows({ content: "text" })).toBe("text");
  for (const said of [{ content: 5 }, {}, null, "text"]) expect(await shows(said)).toBeUndefined();
});
