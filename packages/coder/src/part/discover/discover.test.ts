import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { schema as s, type Tool } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import type { PartRow } from "../../hall/list.ts";
import { coderIn, houseIn, noticesOf, resultsOf, scriptIn, type Talk, talkIn } from "../../test/open.ts";

const weather: Tool<{ place: string }> = {
  name: "mcp__sky__weather",
  about: "Tells the weather of a place. It may be wrong.",
  original: "weather",
  input: s.object({ place: s.string() }),
  prepare: ({ place }) => ({
    effect: "read",
    paths: [],
    run: async () => ({ kind: "prose", data: {}, text: `It rains in ${place}.` }),
  }),
};
const sky: PartRow = {
  reach: "every",
  make: () => ({ name: "sky", arrive: async (door) => void door.tools("sky", [weather]) }),
};

const usual = "read write edit bash search find load_tools ask todo job".split(" ");
const toolsOf = ({ requests }: Talk, at: number) => requests[at]?.tools.map(({ name }) => name) ?? [];
const search = (query: string, more: object = {}) => ({ tool: "load_tools", input: { query, ...more } });

test("a conversation begins with few tools; what is found is appended, usable at once, and kept", async () => {
  using dir = scratch();
  const model = scriptIn(dir, [
    { calls: [search("rewrite code by its structure", { limit: 1 })] },
    { calls: [{ tool: "ast_edit", input: { ops: [{ pat: "a", out: "b" }], paths: ["x.ts"] } }] },
    { text: "Done." },
    { text: "Again." },
  ]);
  dir.write({ "work/x.ts": "a;\n" });
  const talk = await talkIn(await houseIn(dir), { model });
  await talk.coder.send({ text: "go" });
  expect(toolsOf(talk, 0).toSorted()).toEqual(usual.toSorted());
  const finder = talk.requests[0]?.tools.find(({ name }) => name === "load_tools");
  expect(finder?.description).toContain("There are: ast_grep, ast_edit, resolve, run_subagent.");
  expect(toolsOf(talk, 1)).toEqual([...toolsOf(talk, 0), "ast_edit", "resolve"]);
  expect(talk.requests[1]?.tools.slice(0, usual.length)).toEqual([...(talk.requests[0]?.tools ?? [])]);
  expect(talk.requests[1]?.system).toEqual(talk.requests[0]?.system ?? []);
  expect(toolsOf(talk, 2)).toEqual(toolsOf(talk, 1));
  expect(resultsOf(talk.coder)[0]).toStartWith(
    '{"query":"rewrite code by its structure","activated_tools":["ast_edit","resolve"],"match_count":1,"total_tools":4}\n- ast_edit: ',
  );
  expect(resultsOf(talk.coder)[1]).toContain("x.ts");
  // What is our own comes from no server.
  expect(JSON.stringify(talk.coder.path())).not.toContain("server_name");
  const prompts = talk.coder.path().filter((entry) => entry.type === "custom" && entry.customType === "pith.prompt");
  expect(prompts).toHaveLength(2);
  // The looking was seen; nothing more is said of it.
  expect(noticesOf(talk.events)).toEqual([]);
  await talk.coder.close();
  const again = await talkIn(await houseIn(dir), { model, session: { open: "file", path: talk.coder.file ?? "" } });
  await again.coder.send({ text: "and again" });
  expect(toolsOf(again, 0)).toEqual(toolsOf(talk, 2));
  expect(noticesOf(again.events)).toEqual([]);
  await again.coder.close();
});

test("a tool that somebody else brings is found from when it is there, by its server's name too", async () => {
  using dir = scratch();
  const model = scriptIn(dir, [
    { text: "Hi." },
    { calls: [search("sky")] },
    { calls: [{ tool: weather.name, input: { place: "Rome" } }] },
    { text: "Wet." },
  ]);
  const talk = await talkIn(await houseIn(dir), { model, rows: [sky] });
  await talk.coder.send({ text: "hello" });
  await talk.coder.send({ text: "the weather?" });
  expect(toolsOf(talk, 1)).toEqual(toolsOf(talk, 0));
  expect(toolsOf(talk, 2)).toEqual([...toolsOf(talk, 0), weather.name]);
  expect(resultsOf(talk.coder)[1]).toBe("It rains in Rome.");
  const found = talk.coder.path().flatMap((entry) => {
    const result = entry.type === "message" && entry.message.role === "toolResult" ? entry.message : undefined;
    return result?.toolName === "load_tools" ? [result.details] : [];
  });
  expect(found).toMatchObject([
    {
      kind: "tools",
      total_tools: 5,
      tools: [{ name: weather.name, server_name: "sky", mcp_tool_name: "weather", schema_keys: ["place"] }],
    },
  ]);
  await talk.coder.close();
});

test("a hidden tool that is called by name runs, and is told of from then on, even if called wrongly", async () => {
  using dir = scratch();
  dir.write({ "work/x.ts": "const a = 1;\n" });
  const model = scriptIn(dir, [
    { calls: [{ tool: "ast_grep", input: { pat: "const $A = $B", paths: ["x.ts"] } }] },
    { calls: [{ tool: "ast_edit", input: { nonsense: true } }] },
    { text: "Done." },
  ]);
  const talk = await talkIn(await houseIn(dir), { model });
  await talk.coder.send({ text: "go" });
  expect(resultsOf(talk.coder)[0]).toContain("const a = 1");
  expect(resultsOf(talk.coder)[1]).toContain("not valid");
  expect(toolsOf(talk, 1).slice(usual.length)).toEqual(["ast_grep"]);
  expect(toolsOf(talk, 2).slice(usual.length)).toEqual(["ast_grep", "ast_edit", "resolve"]);
  await talk.coder.close();
});

test("off tells of all, mcp-only of all that are ours, and other names can be what it begins with", async () => {
  using dir = scratch();
  const model = scriptIn(dir, [{ text: "Hi." }, { text: "Hi." }, { text: "Hi." }]);
  const begin = async (set: Parameters<typeof houseIn>[1]) => {
    const talk = await talkIn(await houseIn(dir, set), { model, rows: [sky] });
    await talk.coder.send({ text: "one" });
    await talk.coder.send({ text: "two" });
    await talk.coder.close();
    return toolsOf(talk, 1);
  };
  const off = await begin({ "tools.discoveryMode": "off" });
  expect(off).toEqual(expect.arrayContaining(["ast_grep", "resolve", weather.name]));
  expect(off).not.toContain("load_tools");
  const ours = await begin({ "tools.discoveryMode": "mcp-only" });
  expect(ours).toEqual(expect.arrayContaining(["ast_grep", "resolve", "load_tools"]));
  expect(ours).not.toContain(weather.name);
  expect(await begin({ "tools.essentialOverride": "bash, read nosuch" })).toEqual(["read", "bash", "load_tools"]);
  expect(await begin({ profile: "local" })).toEqual(["read", "write", "edit", "bash", "search", "find"]);
  expect(await begin({ profile: "local", "tools.discoveryMode": "all" })).toContain("load_tools");
});

test("a named tool that leads nowhere alone brings the one it needs", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "const a = 1;\n" });
  const ops = [{ pat: "const $A = $B", out: "let $A = $B" }];
  const turns = [
    { calls: [{ tool: "ast_edit", input: { ops, paths: ["a.ts"] } }] },
    { calls: [{ tool: "resolve", input: { action: "apply", reason: "x" } }] },
    { text: "Done." },
  ];
  const { coder, requests } = await talkIn(await houseIn(dir), { model: scriptIn(dir, turns), tools: ["ast_edit"] });
  await coder.send({ text: "go" });
  expect(requests[0]?.tools.map(({ name }) => name)).toEqual(["ast_edit", "resolve"]);
  expect(readFileSync(dir.at("work/a.ts"), "utf8")).toBe("let a = 1;\n");
  await coder.close();
});

test("named tools are exactly these: nothing else is told, found or called", async () => {
  using dir = scratch();
  const turns = [
    { calls: [{ tool: "bash", input: { command: "echo hi" } }, search("bash")] },
    { calls: [{ tool: "resolve", input: { action: "apply", reason: "x" } }] },
    { text: "Done." },
  ];
  const model = scriptIn(dir, turns);
  const talk = await talkIn(await houseIn(dir), { model, tools: ["read", "resolve"], rows: [sky] });
  await talk.coder.send({ text: "go" });
  expect(new Set(talk.requests.map(({ tools }) => tools.map(({ name }) => name).join()))).toEqual(
    new Set(["read,resolve"]),
  );
  expect(resultsOf(talk.coder).slice(0, 2)).toEqual([
    expect.stringContaining('There is no tool "bash"'),
    expect.stringContaining('There is no tool "load_tools"'),
  ]);
  await talk.coder.close();
  expect(coderIn(dir, turns, { tools: ["read", "raed"] })).rejects.toThrow(
    'there is no tool "raed"; did you mean read?',
  );
});
