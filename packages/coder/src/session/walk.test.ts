import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Event } from "@pith/agent";
import { openCoder } from "./coder.ts";
import type { SessionChoice } from "./record.ts";
import { openSettings } from "./setting/setting.ts";

async function stage(session: SessionChoice = { open: "new" }) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pith-walk-")));
  mkdirSync(join(root, "work"));
  await Bun.write(
    join(root, "script.json"),
    JSON.stringify({ turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }] }),
  );
  const settings = await openSettings({ cwd: join(root, "work"), home: join(root, "home") });
  if (!settings.ok) throw new Error(settings.message);
  const opened = await openCoder({
    cwd: join(root, "work"),
    home: join(root, "home"),
    userHome: root,
    env: {},
    settings: settings.value,
    model: `faux/${join(root, "script.json")}`,
    session,
    approval: "ask",
    asks: false,
  });
  if (!opened.ok) throw new Error(opened.message);
  const coder = opened.value;
  const events: Event[] = [];
  coder.subscribe((event) => events.push(event));
  const said = () =>
    coder
      .path()
      .flatMap((entry) =>
        entry.type === "message"
          ? [JSON.stringify(entry.message.content)]
          : entry.type === "branch_summary"
            ? ["summary"]
            : [],
      );
  const end = async () => {
    await coder.close();
    rmSync(root, { recursive: true });
  };
  return { coder, events, said, end };
}

test("going back gives the text back, and what is said next is another branch of the same file", async () => {
  const { coder, said, end } = await stage();
  await coder.send({ text: "first" });
  await coder.send({ text: "second" });
  const second = coder.walk.outline("user-only").at(-1)?.entry.id ?? "";
  expect(await coder.walk.go(second, "none")).toEqual({ done: "moved", text: "second" });
  await coder.send({ text: "otherwise" });
  expect(said().join()).toContain("otherwise");
  expect(said().join()).not.toContain("second");
  expect(coder.walk.outline("user-only").map((row) => row.active)).toEqual([true, false, true]);
  await end();
});

test("a summary of what is left behind is told as an entry, and an aborted one moves nothing", async () => {
  const { coder, events, said, end } = await stage();
  await coder.send({ text: "first" });
  const [, answer = ""] = coder.path().flatMap((entry) => (entry.type === "message" ? [entry.id] : []));
  await coder.send({ text: "second" });
  expect(await coder.walk.go(answer, "own", AbortSignal.abort())).toEqual({ done: "cancelled" });
  expect(said().join()).toContain("second");
  expect(await coder.walk.go(answer, { instructions: "Shortly." })).toMatchObject({
    done: "moved",
    summary: { type: "branch_summary", parentId: answer },
  });
  expect(said().at(-1)).toBe("summary");
  expect(events.at(-1)).toMatchObject({ type: "entry", entry: { type: "branch_summary" } });
  await end();
});

test("an entry is marked, the session named and forked, while it is open", async () => {
  const { coder, end } = await stage();
  await coder.send({ text: "first" });
  const row = coder.walk.outline()[0];
  coder.walk.label(row?.entry.id ?? "", "start");
  coder.walk.rename("a  name\nin lines");
  expect(coder.walk.outline("labeled-only").map((one) => one.label)).toEqual(["start"]);
  const forked = await coder.walk.fork(row?.entry.id);
  if (!forked.ok) throw new Error(forked.message);
  expect(readFileSync(forked.value.file, "utf8")).toContain("first");
  expect(readFileSync(forked.value.file, "utf8")).not.toContain("One.");
  expect(readFileSync(coder.file ?? "", "utf8")).toContain('"name":"a name in lines"');
  await end();
});

test("nothing can be forked where nothing is recorded", async () => {
  const { coder, end } = await stage({ open: "none" });
  expect(await coder.walk.fork()).toMatchObject({ ok: false, kind: "missing" });
  await end();
});
