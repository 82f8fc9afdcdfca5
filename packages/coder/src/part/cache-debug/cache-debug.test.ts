import { describe, expect, test } from "bun:test";
import type { Notice } from "@pith/agent";
import type { Request } from "@pith/llm";
import { model } from "../../test/scripted.ts";
import { cacheDebug, explain } from "./cache-debug.ts";

const user = (content: string) => ({ role: "user" as const, content, timestamp: 0 });
const spec = (name: string, description = "") => ({ name, description, parameters: {} });
const request = (more: Partial<Request> = {}): Request => ({
  model: model("a"),
  purpose: "main",
  system: ["one", "two"],
  messages: [user("a"), user("b")],
  tools: [spec("read")],
  ...more,
});

describe("what broke the cache is named", () => {
  test.each<[string, Partial<Request>, string]>([
    ["nothing", { messages: [user("a"), user("b"), user("c")] }, "kept: 2 messages as before, 1 new"],
    ["a model", { model: model("b") }, "broken: another model, test/b after test/a"],
    ["thinking", { effort: "high" }, "broken: thinking is high after unset"],
    ["a tool", { tools: [spec("read", "other")] }, "broken: tool 1 (read) changed"],
    ["a new tool", { tools: [spec("read"), spec("bash")] }, "broken: tool 2 (bash) was added"],
    ["the system prompt", { system: ["one", "2"] }, "broken: block 2 of the system prompt changed"],
    [
      "a message",
      { messages: [user("a"), user("B"), user("c")] },
      "broken: message 2 of 2 (user) changed; about 45 characters are read anew",
    ],
    [
      "a lost message",
      { messages: [user("a")] },
      "broken: message 2 of 2 (user) is gone; about 45 characters are read anew",
    ],
  ])("%s", (_, more, said) => expect(explain(request(), request(more))).toBe(said));
});

test("each request is compared with the one before it, where somebody wants to know", async () => {
  const told: Notice[] = [];
  const channel = { notify: (notice: Notice) => void told.push(notice) };
  const part = (env: Record<string, string>) => cacheDebug({ env, channel } as never);
  expect(part({})).toBeUndefined();
  const hook = part({ PITH_CACHE_DEBUG: "1" });
  const messages = [user("a")];
  await hook?.context?.(request({ messages }));
  messages.push(user("b"));
  await hook?.context?.(request({ messages }));
  expect(told.map(({ text }) => text)).toEqual(["cache: kept: 1 messages as before, 1 new"]);
});
