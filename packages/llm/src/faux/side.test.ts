import { expect, test } from "bun:test";
import type { Purpose } from "../message/stream.ts";
import { ask, collect, failureIn, joined, user } from "../test/fixture.ts";
import { parseScript } from "./load.ts";
import { fauxModel, fauxStream } from "./play.ts";
import type { Script } from "./script.ts";

const model = fauxModel("demo", { turns: [] });
const request = (purpose: Purpose, more = {}) => ask([user("hi")], { model, purpose, ...more });

async function says(script: Script, ...purposes: Purpose[]): Promise<string[]> {
  const stream = fauxStream(script);
  const heard: string[] = [];
  for (const purpose of purposes) heard.push(joined(await collect(stream, request(purpose)), "text"));
  return heard;
}

test("side requests have answers of their own, and the turns continue where they were", async () => {
  const script: Script = {
    turns: [{ text: "one" }, { when: { user: "hi" }, text: "an aside" }],
    side: { title: "A title", summary: ["first", { text: "second", repeat: 2 }, "last"] },
  };
  expect(await says(script, "title", "main", "title")).toEqual(["A title", "an aside", "A title"]);
  expect(await says(script, "summary", "summary", "summary", "summary", "summary")).toEqual([
    "first",
    "second",
    "second",
    "last",
    "last",
  ]);
  const plain = { turns: [{ text: "one" }] };
  expect(await says(plain, "branch", "main")).toEqual(["The script says nothing of this.", "one"]);
});

test("an answer beside the conversation can call, fail, hang and expect as a turn can", async () => {
  const script: Script = {
    name: "Demo",
    turns: [{ text: "one" }],
    side: {
      title: { calls: [{ tool: "set_title", input: { title: "{{user}}" } }] },
      classify: { error: { status: 429 } },
      handoff: { expect: { tools: ["bash"] }, text: "yes" },
    },
  };
  const stream = fauxStream(script);
  expect(joined(await collect(stream, request("title")), "args")).toBe('{"title":"hi"}');
  expect(failureIn(await collect(stream, request("classify")))?.kind).toBe("rate");
  expect(failureIn(await collect(stream, request("handoff")))?.message).toBe(
    'Demo, side.handoff: expected the tool "bash", but the tools are none',
  );
});

test("a mistake in an answer beside the conversation is told with its place", async () => {
  const mistake = async (side: string) => {
    const parsed = await parseScript(`turns: [{ text: a }]\nside: ${side}`, "demo.yml");
    return parsed.ok ? "fine" : parsed.message;
  };
  expect(await mistake("{ title: hello, summary: [a, { text: b }] }")).toBe("fine");
  expect(await mistake("{ title: { txt: a } }")).toStartWith('demo.yml: side.title: unknown key "txt"');
  expect(await mistake("{ summary: [] }")).toBe("demo.yml: side.summary: expected at least one answer");
  expect(await mistake("{ summary: [a, 7] }")).toBe("demo.yml: side.summary[1]: expected a group, found 7");
  expect(await mistake("{ main: a }")).toStartWith('demo.yml: side: unknown key "main"');
});
