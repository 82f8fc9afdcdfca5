import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { said } from "../../test/command.ts";
import { coderIn } from "../../test/open.ts";
import { contextText } from "./count.ts";

test("a person sees how full the window is, and what the model itself has told of it", async () => {
  using dir = scratch();
  const turns = [
    { text: "Hi.", usage: { input: 3000, cacheRead: 1000, output: 3 } },
    { text: "Again.", usage: { input: 200, cacheRead: 4000, output: 3 } },
  ];
  const coder = await coderIn(dir, turns, {}, { model: { contextWindow: 20_000 } });
  const command = coder.commands.rows.find(({ name }) => name === "context");
  expect(await said(command)).toMatch(/^faux\/\S+: [\d,]+ of 20,000 tokens[\s\S]*has reported nothing yet\.$/);
  expect(existsSync(dir.at("home/cache/tokens.json"))).toBe(false);
  await coder.send({ text: "hello" });
  await coder.send({ text: "and again" });
  const { size, told, categories, window } = await coder.context();
  expect([told > 4200, told < 4220, size - told < 30, window]).toEqual([true, true, true, 20_000]);
  expect(categories.total).toBe(size);
  expect(await said(command)).toContain("as the model reported, the rest estimated.");
  expect(readFileSync(dir.at("home/cache/tokens.json"), "utf8")).toContain('"faux/');
  await coder.close();
});

test("a window that nobody knows is left out", () => {
  const categories = { system: 1000, toolDefinitions: 200, messages: 30, toolResults: 4, files: 0, total: 1234 };
  expect(contextText({ model: "a/b", window: 0, size: 1234, told: 0, categories })).toBe(
    [
      "a/b: 1,234 tokens",
      "  system prompt                1,000",
      "  tools                          200",
      "  messages                        30",
      "  tool results                     4",
      "  files and long prompts           0",
      "Estimated; the model has reported nothing yet.",
    ].join("\n"),
  );
});
