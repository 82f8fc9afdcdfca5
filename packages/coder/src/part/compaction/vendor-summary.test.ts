import { expect, test } from "bun:test";
import { type Scratch, scratch } from "@pith/kit/test";
import { benches, type Served, serve } from "@pith/llm/test";
import type { Coder } from "../../hall/coder.ts";
import { coderIn, noticesOf } from "../../test/open.ts";

const openai = benches["openai-responses"]?.fake;
if (!openai) throw new Error("no server");
const plays = [
  { text: `One. ${"It is long. ".repeat(600)}` },
  { text: "Two." },
  { text: "## Current state\nIn words." },
  { text: "Three." },
];

function coderAt(dir: Scratch, { url }: Served, more: Parameters<typeof coderIn>[2]) {
  const models = [{ id: "gpt-5.5" }, { id: "gpt-5.4" }];
  const providers = { openai: { baseUrl: url, api: "openai-responses", apiKey: "key", models } };
  dir.write({ "home/models.yml": JSON.stringify({ providers }) });
  return coderIn(dir, [], { env: { PATH: process.env.PATH, PITH_NO_TITLE: "1" }, ...more });
}

/** Two turns and a compaction with a server; what it was asked for that, and the entry that came of it. */
async function compacted(dir: Scratch, served: Served, words = "", set = {}) {
  const coder = await coderAt(dir, served, { model: "openai/gpt-5.5", set: set as never });
  for (const text of [`first ${"of all ".repeat(400)}`, "second"]) await coder.send({ text });
  await perform(coder, `/compact ${words}`.trim());
  const paths = served.asks.slice(2).map(({ url }) => url.pathname.replace("/v1/", ""));
  const entry = coder.path().find(({ type }) => type === "compaction");
  return { coder, paths: paths.sort(), entry };
}
async function perform(coder: Coder, line: string) {
  const typed = coder.commands.read(line);
  if (typed.is !== "command") throw new Error("no command");
  await coder.perform(typed);
}
const last = (served: Served) => served.asks.at(-1)?.raw ?? "";

test("OpenAI's own summary is sent back to it from then on, beside a summary in words", async () => {
  using dir = scratch();
  using served = serve(openai, ...plays);
  const { coder, paths, entry } = await compacted(dir, served);
  expect(paths).toEqual(["responses", "responses/compact"]);
  expect(entry).toMatchObject({
    summary: expect.stringContaining("In words."),
    preserveData: {
      openaiRemoteCompaction: {
        provider: "openai",
        model: "gpt-5.5",
        replacementHistory: expect.arrayContaining([expect.objectContaining({ type: "compaction" })]),
      },
    },
  });
  await coder.send({ text: "third" });
  expect(last(served)).toContain("window:cmp_");
  expect(last(served)).toContain("## Kept word for word");
  expect(last(served)).not.toContain("In words.");
  expect(served.refusals).toEqual([]);
  const { file } = coder;
  await coder.close();
  // Another model gets the words.
  using other = serve(openai, { text: "Fine." });
  const session = { open: "file", path: file ?? "" } as const;
  const later = await coderAt(dir, other, { model: "openai/gpt-5.4", session });
  await later.send({ text: "fourth" });
  expect(last(other)).toContain("In words.");
  expect(last(other)).not.toContain("window:");
  await later.close();
});

test("without OpenAI's own summary there is only the one in words", async () => {
  const { beside, ...without } = openai;
  const broken = { ...openai, beside: beside && { ...beside, answer: () => ({ object: "response.compaction" }) } };
  for (const [fake, told, words, set] of [
    [without, false, "", {}],
    [broken, true, "", {}],
    [openai, false, "the names", {}],
    [openai, false, "", { "compaction.remoteEnabled": false }],
  ] as const) {
    using dir = scratch();
    using served = serve(fake, ...plays);
    const { coder, entry } = await compacted(dir, served, words, set);
    expect(entry).toMatchObject({ summary: expect.stringContaining("In words.") });
    expect(entry).not.toHaveProperty("preserveData");
    expect(noticesOf(coder.events).join().includes("a summary in words")).toBe(told);
    await coder.send({ text: "third" });
    expect(last(served)).toContain("In words.");
    expect(served.refusals).toEqual([]);
    await coder.close();
  }
});
