import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Hook, NavigateAnswer, NavigateView } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import { coderIn } from "../test/open.ts";
import type { SessionChoice } from "./record.ts";

async function stage(session: SessionChoice = { open: "new" }, hook: Partial<Hook> = {}, script: object = {}) {
  const dir = scratch();
  const parts = [{ name: "test", hooks: [{ name: "test", ...hook }] }];
  const turns = [{ text: "One." }, { text: "Two." }, { text: "Three." }];
  const coder = await coderIn(dir, turns, { session, parts }, script);
  const { events } = coder;
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
    dir[Symbol.dispose]();
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
  expect(events.slice(-2)).toMatchObject([
    { type: "entry", entry: { type: "branch_summary" } },
    { type: "moved", to: coder.path().at(-1)?.id, summary: { type: "branch_summary" } },
  ]);
  await end();
});

test("going on to what lies below leaves nothing behind, so a summary that was wanted is none", async () => {
  const { coder, events, said, end } = await stage();
  await coder.send({ text: "first" });
  const [, answer = ""] = coder.path().flatMap((entry) => (entry.type === "message" ? [entry.id] : []));
  await coder.send({ text: "second" });
  const leaf = coder.record.leaf() ?? "";
  await coder.walk.go(answer, "none");
  const before = [...coder.record.entries()].length;
  events.length = 0;
  expect(await coder.walk.go(leaf, "own")).toEqual({ done: "moved", text: undefined });
  expect([coder.record.leaf(), [...coder.record.entries()].length]).toEqual([leaf, before]);
  expect(said().join()).not.toContain("summary");
  expect(events.map(({ type }) => type)).toEqual(["moved"]);
  await end();
});

test("a branch is summed up in a small window, too", async () => {
  for (const contextWindow of [4000, 8000, 16_000]) {
    const { coder, events, end } = await stage({ open: "new" }, {}, { model: { contextWindow } });
    await coder.send({ text: "first" });
    const [, answer = ""] = coder.path().flatMap((entry) => (entry.type === "message" ? [entry.id] : []));
    await coder.send({ text: "second" });
    expect(await coder.walk.go(answer, "own")).toMatchObject({ done: "moved", summary: { type: "branch_summary" } });
    expect(events.filter((event) => event.type === "notice" && event.notice.level === "error")).toEqual([]);
    await end();
  }
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

test("a hook may keep it from going, or bring the summary; one that throws is told and passed over", async () => {
  const answers: (NavigateAnswer | Error)[] = [
    { do: "cancel" },
    { do: "summary", summary: "By a hook.", details: { mine: 1 } },
    { do: "summary", summary: "Nobody asked." },
    new Error("broken"),
  ];
  const views: NavigateView[] = [];
  const { coder, events, said, end } = await stage(
    { open: "new" },
    {
      navigate(view) {
        views.push(view);
        const answer = answers.shift() ?? { do: "go" };
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  );
  await coder.send({ text: "first" });
  const [, answer = ""] = coder.path().flatMap((entry) => (entry.type === "message" ? [entry.id] : []));
  await coder.send({ text: "second" });
  const leaf = coder.path().at(-1)?.id ?? "";
  expect(await coder.walk.go(answer, "own")).toEqual({ done: "cancelled" });
  expect(views[0]).toMatchObject({ from: leaf, to: answer, summary: "wanted" });
  expect(views[0]?.left.map(({ type }) => type)).toContain("message");
  expect(coder.path().at(-1)?.id).toBe(leaf);
  expect(await coder.walk.go(answer, "own")).toMatchObject({
    done: "moved",
    summary: { summary: "By a hook.", details: { mine: 1 }, fromExtension: true },
  });
  expect(await coder.walk.go(leaf, "none")).toEqual({ done: "moved" });
  expect(said().join()).not.toContain("summary");
  expect(await coder.walk.go(answer, "none")).toEqual({ done: "moved" });
  expect(events).toContainEqual({
    type: "notice",
    notice: { level: "warn", text: "test failed at a move in the tree: broken" },
  });
  await end();
});
