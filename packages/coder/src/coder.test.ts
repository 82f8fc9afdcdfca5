// The coder without a face: what a program that embeds pith does.
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Coder, type CoderOptions, openCoder } from "./coder.ts";
import { openSettings } from "./setting/setting.ts";

function scratch() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "pith-coder-")));
  mkdirSync(join(path, "work"));
  return { path, at: (name: string) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

async function open(
  dir: ReturnType<typeof scratch>,
  turns: unknown[],
  more: Partial<CoderOptions> = {},
): Promise<Coder> {
  await Bun.write(dir.at("script.json"), JSON.stringify({ turns }));
  const settings = await openSettings({ cwd: dir.at("work"), home: dir.at("home") });
  if (!settings.ok) throw new Error(settings.message);
  const coder = await openCoder({
    cwd: dir.at("work"),
    home: dir.at("home"),
    userHome: dir.path,
    env: {},
    settings: settings.value,
    model: `faux/${dir.at("script.json")}`,
    session: { open: "new" },
    approval: "ask",
    asks: true,
    ...more,
  });
  if (!coder.ok) throw new Error(coder.message);
  return coder.value;
}

test("a program runs a prompt, answers a question, steers, and reads the record, without any argv", async () => {
  using dir = scratch();
  const coder = await open(dir, [
    { calls: [{ tool: "write", input: { path: "a.txt", content: "x" } }] },
    { text: "Done.", expect: { user: "and say done" } },
  ]);
  const seen: string[] = [];
  using _ = coder.subscribe((event) => {
    seen.push(event.type);
    if (event.type !== "question") return;
    void coder.send({ text: "and say done" }, "steer");
    coder.answer(event.question.id, { say: "yes" });
  });
  await coder.send({ text: "write it" });
  expect(coder.path().flatMap((entry) => (entry.type === "message" ? [entry.message.role] : []))).toEqual([
    "user",
    "assistant",
    "toolResult",
    "user",
    "assistant",
  ]);
  expect(seen).toContain("question");
  expect(seen.at(-1)).toBe("turn");
  expect(await Bun.file(dir.at("work/a.txt")).text()).toBe("x");
  await coder.close();
});

test("an interrupt from a program ends the turn and the coder can be used again", async () => {
  using dir = scratch();
  const coder = await open(dir, [{ hang: true }, { text: "Here again." }], { asks: false });
  const ends: string[] = [];
  const asked = Promise.withResolvers<void>();
  using _ = coder.subscribe((event) => {
    if (event.type === "turn" && event.state.name === "asking") asked.resolve();
    if (event.type === "turn" && event.state.name === "idle") ends.push(event.state.end.reason);
  });
  const sent = coder.send({ text: "wait" });
  await asked.promise;
  await coder.interrupt("enough");
  await sent;
  await coder.send({ text: "hello?" });
  expect(ends[0]).toBe("interrupted");
  expect(ends.length).toBe(2);
  await coder.close();
});
