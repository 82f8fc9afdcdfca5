import { expect, test } from "bun:test";
import { scratch, until } from "@pith/kit/test";
import type { Coder } from "../../hall/coder.ts";
import { coderIn, scriptIn } from "../../test/open.ts";

const named = (title: string) => ({
  calls: [{ tool: "set_title", input: { title } }],
  usage: { input: 50, output: 5 },
});
const titleOf = (coder: Pick<Coder, "record">): string | undefined => {
  for (const entry of coder.record.back()) if (entry.type === "session_info") return entry.name;
  return undefined;
};
const spentOf = (coder: Pick<Coder, "path">) =>
  coder.path().flatMap((entry) => (entry.type === "custom" && entry.customType === "pith.spent" ? [entry.data] : []));
const hi = [{ text: "Done." }, { text: "Done again." }];

test("a conversation is named after its first answer, by the small model, and what that cost is known", async () => {
  using dir = scratch();
  const expect_ = { user: ["fix the flaky test", "Done."], system: "set_title", tools: ["set_title"] };
  const side = { title: { ...named("  “Repair of\na flaky \u202etest” "), expect: expect_ } };
  const smol = scriptIn(dir, [{ text: "." }], "small.json", { side });
  const coder = await coderIn(dir, hi, { set: { "roles.smol": smol } }, { side: { title: named("By the large one") } });
  await coder.send({ text: "fix the flaky test" });
  await until(() => titleOf(coder) !== undefined, "a title");
  expect(titleOf(coder)).toBe("Repair of a flaky test");
  expect(spentOf(coder)).toMatchObject([{ purpose: "title", model: dir.at("small.json"), usage: { totalTokens: 55 } }]);
  await coder.send({ text: "and more" });
  expect(coder.path().filter(({ type }) => type === "session_info")).toHaveLength(1);
  await coder.close();
});

test("where the model gives no title, the first words are one", async () => {
  const answers: unknown[] = [
    "A plain text.",
    { error: { status: 500 } },
    named(" \u200b "),
    { calls: [{ tool: "set_title", input: { title: 7 } }] },
    { calls: [{ tool: "bash", input: { command: "touch x" } }] },
  ];
  for (const answer of answers) {
    using dir = scratch();
    const coder = await coderIn(dir, hi, {}, { side: { title: answer } });
    await coder.send({ text: "please fix\nit" });
    await until(() => titleOf(coder) !== undefined, "a title");
    expect([answer, titleOf(coder)]).toEqual([answer, "please fix"]);
    await coder.close();
  }
});

test("nobody waits for a title, and none is written over a name that a person gave meanwhile", async () => {
  using dir = scratch();
  const side = { title: { ...named("Too late"), delayMs: 300 } };
  const coder = await coderIn(dir, hi, {}, { side });
  await coder.send({ text: "go" });
  expect(titleOf(coder)).toBeUndefined();
  coder.walk.rename("Mine");
  await until(() => spentOf(coder).length > 0, "the answer about the title");
  await coder.send({ text: "and more" });
  expect(titleOf(coder)).toBe("Mine");
  await coder.close();
});

test("a title that hangs keeps nobody from leaving", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, hi, {}, { side: { title: { hang: true } } });
  await coder.send({ text: "go" });
  const began = performance.now();
  await coder.close();
  expect(performance.now() - began).toBeLessThan(5000);
});

test("there is no title where nobody looks, nothing is recorded, or somebody wants none", async () => {
  const wishes: Parameters<typeof coderIn>[2][] = [
    { asks: false },
    { after: "end" },
    { session: { open: "none" } },
    { env: { PATH: process.env.PATH, PITH_NO_TITLE: "1" } },
  ];
  for (const wish of wishes) {
    using dir = scratch();
    const side = { title: named("A title") };
    const coder = await coderIn(dir, hi, wish, { side });
    await coder.send({ text: "go" });
    await coder.send({ text: "again" });
    expect([wish, titleOf(coder), spentOf(coder)]).toEqual([wish, undefined, []]);
    await coder.close();
  }
});

test("TITLE_SYSTEM.md says how titles are made", async () => {
  using dir = scratch();
  dir.write({ "home/TITLE_SYSTEM.md": "Only one word." });
  const side = { title: { ...named("Word"), expect: { system: { matches: "^Only one word\\.$" } } } };
  const coder = await coderIn(dir, hi, {}, { side });
  await coder.send({ text: "say a word" });
  await until(() => titleOf(coder) !== undefined, "a title");
  expect(titleOf(coder)).toBe("Word");
  await coder.close();
});
