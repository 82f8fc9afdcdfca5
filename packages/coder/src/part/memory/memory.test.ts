import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import type { Coder } from "../../hall/coder.ts";
import { coderIn } from "../../test/open.ts";

async function type(coder: Coder, text: string): Promise<string> {
  const typed = coder.commands.read(text);
  const ending = typed.is === "command" ? await coder.perform(typed) : undefined;
  return ending?.do === "show" ? ending.outcome.text : "";
}

test("a person's edit of the memory is told to the model at the next step, once", async () => {
  using dir = scratch();
  const turns = [
    { calls: [{ tool: "bash", input: { command: "until [ -e go ]; do sleep 0.01; done" } }] },
    { text: "Seen.", expect: { user: "use pnpm" } },
    { text: "Still.", expect: { user: "and now" } },
  ];
  const coder = await coderIn(dir, turns);
  const told = () => coder.path().filter((entry) => "customType" in entry && entry.customType === "pith.memory-edited");
  using _ = coder.subscribe((event) => {
    if (event.type !== "call") return;
    void type(coder, "/memory add use pnpm").then(() => {
      expect(told()).toEqual([]);
      dir.write({ "work/go": "" });
    });
  });
  await coder.send({ text: "wait" });
  await coder.send({ text: "and now?" });
  expect(told()).toHaveLength(1);
  expect(await type(coder, "/memory")).toBe(
    "1 file written, 1 note\n1. task: wait\n2. file written: go\n3. note: use pnpm",
  );
  await coder.close();
  const path = coder.file ?? "";
  const again = await coderIn(dir, turns, { session: { open: "file", path } });
  expect(await type(again, "/memory")).toContain("note: use pnpm");
  await again.close();
});
