import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import type { Coder } from "../../hall/coder.ts";
import { houseIn, scriptIn, talkIn } from "../../test/open.ts";

const lie = "src/invented.ts";
const true_ = "src/parser.ts";
const typed = async (coder: Coder, text: string) => {
  const command = coder.commands.read(text);
  if (command.is !== "command") throw new Error(`no command: ${text}`);
  const ending = await coder.perform(command);
  if (ending.do === "show" && ending.outcome.failed) throw new Error(ending.outcome.text);
};

test("what a summary invented is marked by later summaries and in a handoff, true names are not", async () => {
  using dir = scratch();
  const said = `## Goal\nChanged ${true_}, then wrote ${lie}.`;
  const side = { summary: said, handoff: said };
  const more = { after: "repeat-last", side };
  const model = scriptIn(dir, [{ text: "Done." }], "script.json", more);
  const repeats = scriptIn(dir, [{ text: `I shall go on with ${lie}.` }], "repeats.json", more);
  const { coder } = await talkIn(await houseIn(dir), { model });
  for (const [n, asked] of [`mend ${true_}`, "and now?", "and then?", "go on"].entries()) {
    await coder.send({ text: `${asked} ${"so much was said. ".repeat(500)}` });
    await typed(coder, "/compact");
    if (n === 0) await coder.use(repeats);
  }
  const summaries = coder.path().flatMap((entry) => (entry.type === "compaction" ? [entry.summary] : []));
  expect(summaries).toHaveLength(4);
  for (const summary of summaries) {
    expect(summary).toContain(`Changed ${true_}, then wrote ${lie} (not in the record).`);
    expect(summary).not.toContain(`${true_} (not`);
  }
  await typed(coder, "/handoff");
  await coder.send({ text: `and now? ${"so much was said. ".repeat(500)}` });
  await typed(coder, "/compact");
  const texts = coder
    .path()
    .flatMap((entry) =>
      entry.type === "compaction" ? [entry.summary] : entry.type === "custom_message" ? [entry.content] : [],
    );
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts.filter((one) => String(one).includes(true_)))
    expect(text).toContain(`Changed ${true_}, then wrote ${lie} (not in the record).`);
  await coder.close();
});
