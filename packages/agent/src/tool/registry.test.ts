import { expect, test } from "bun:test";
import { plain } from "../test/scripted.ts";
import { Registry } from "./registry.ts";

const named = (name: string) => plain({ name, run: async () => ({ kind: "prose", data: {}, text: name }) });

test("tools that come later stand behind those that were there, and a taken name is left to its owner", () => {
  const tools = new Registry([named("a"), named("b")]);
  expect(tools.add("server", [named("c"), named("a")])).toEqual(["a"]);
  expect(tools.names).toEqual(["a", "b", "c"]);
  expect(tools.sourceOf("a")).toBe("pith");
  expect(tools.specs.map(({ name }) => name)).toEqual(["a", "b", "c"]);
});

test("a tool that goes stays listed, says so, and comes back in its place", async () => {
  const tools = new Registry([named("a")]);
  tools.add("server", [named("c")]);
  tools.add("other", [named("d")]);
  tools.remove("server");
  expect(tools.specs.map(({ name }) => name)).toEqual(["a", "c", "d"]);
  const how = { signal: new AbortController().signal, without: [] };
  expect(await tools.get("c")?.prepare({}, how)).toMatchObject({
    failed: true,
    text: expect.stringContaining("server"),
  });
  tools.add("server", [named("c")]);
  expect(await tools.get("c")?.prepare({}, how)).toMatchObject({ effect: "read" });
  expect(tools.names).toEqual(["a", "c", "d"]);
});
