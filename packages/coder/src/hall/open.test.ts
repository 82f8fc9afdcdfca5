import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { houseIn, resultsOf, scriptIn, talkIn } from "../test/open.ts";
import type { House } from "./hall.ts";

/** A house that remembers which states of the project it handed out. */
async function watched(house: House) {
  const handed = new Set<Awaited<ReturnType<House["undo"]>>>();
  const undo = async () => {
    const shared = await house.undo();
    handed.add(shared);
    return shared;
  };
  return { handed, house: { ...house, undo } };
}

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });

test("two conversations run at once in one process, each with its record and its shell, on one ground", async () => {
  using dir = scratch();
  const { house, handed } = await watched(await houseIn(dir));
  dir.write({ "work/left/x": "", "work/right/x": "" });
  // Each waits for a file of the other: neither gets further alone.
  const script = (side: string, other: string) => [
    { calls: [{ tool: "write", input: { path: `${side}.txt`, content: side } }] },
    bash(`cd ${side}; SIDE=${side}; until [ -e ../${other}.txt ]; do sleep 0.01; done; echo met`),
    bash('echo "$SIDE in $(basename "$PWD")"'),
    { text: "Done." },
    bash('echo "still $SIDE"'),
    { text: "Done again." },
  ];
  const main = await talkIn(house, { model: scriptIn(dir, script("left", "right"), "main.json") });
  const child = await talkIn(house, {
    agent: "child",
    model: scriptIn(dir, script("right", "left"), "child.json"),
  });
  await Promise.all([main.coder.send({ text: "be left" }), child.coder.send({ text: "be right" })]);
  expect(resultsOf(main.coder).slice(1)).toEqual([
    expect.stringContaining("met"),
    expect.stringContaining("left in left"),
  ]);
  expect(resultsOf(child.coder).slice(1)).toEqual([
    expect.stringContaining("met"),
    expect.stringContaining("right in right"),
  ]);

  expect(main.hall.ground).toBe(child.hall.ground);
  expect(main.hall.shell.shell).not.toBe(child.hall.shell.shell);
  expect(handed.size).toBe(1);
  const [undo] = handed;
  expect(new Set(undo?.turns().map(({ session }) => session))).toEqual(
    new Set([main.hall.header.id, child.hall.header.id]),
  );

  const [mainFile = "", childFile = ""] = [main.coder.file, child.coder.file];
  await child[Symbol.asyncDispose]();
  expect(readFileSync(childFile, "utf8")).toContain("be right");
  expect(readFileSync(childFile, "utf8")).not.toContain("be left");

  await main.coder.send({ text: "are you there?" });
  expect(resultsOf(main.coder).at(-1)).toContain("still left");
  await main.coder.close();
  expect(readFileSync(mainFile, "utf8")).not.toContain("be right");
  expect([existsSync(dir.at("work/left.txt")), existsSync(dir.at("work/right.txt"))]).toEqual([true, true]);
});

test("a conversation that belongs to another has what every one has, and nothing of the person's", async () => {
  using dir = scratch();
  const house = await houseIn(dir, { "checkpoint.enabled": true });
  const model = scriptIn(dir, [{ text: "Hi." }]);
  const main = await talkIn(house, { model });
  const child = await talkIn(house, { model, agent: "child", scope: "child" });
  const names = (talk: typeof main) => talk.assembly.parts.map(({ name }) => name);
  expect(names(main).filter((name) => !names(child).includes(name))).toEqual([
    "arriving",
    "rewind",
    "memory",
    "todo",
    "ask",
    "plan",
    "btw",
    "delegate",
    "cost",
    "verify",
    "orchestrate",
    "dispatch",
    "reload",
    "jobs",
    "record",
    "history",
    "title",
    "model",
    "leave",
    "library",
  ]);
  expect(child.hall.tools.names).not.toContain("todo");
  expect(child.hall.tools.names).toContain("bash");
  expect(child.hall.agent).toBe("child");
  await child[Symbol.asyncDispose]();
  await main.coder.close();
});

test("the questions of two conversations about calls of the same name are told apart", async () => {
  using dir = scratch();
  const house = await houseIn(dir);
  const write = (path: string) => ({ calls: [{ tool: "write", id: "same", input: { path, content: path } }] });
  const open = (agent: string, scope: "main" | "child") =>
    talkIn(house, {
      agent,
      scope,
      approval: "ask",
      model: scriptIn(dir, [write(agent), { text: "Done." }], `${agent}.json`),
    });
  const [main, child] = [await open("main", "main"), await open("helper", "child")];
  const asked: string[] = [];
  for (const { coder } of [main, child])
    coder.subscribe((event) => {
      if (event.type !== "question") return;
      asked.push(event.question.id);
      // The answer of one does not reach the other.
      for (const each of [main, child]) each.coder.answer("main/same", { say: "yes" });
      coder.answer("helper/same", { say: "no", words: "not you" });
    });
  await Promise.all([main.coder.send({ text: "go" }), child.coder.send({ text: "go" })]);
  expect(asked.toSorted()).toEqual(["helper/same", "main/same"]);
  expect([existsSync(dir.at("work/main")), existsSync(dir.at("work/helper"))]).toEqual([true, false]);
  expect(resultsOf(child.coder)).toEqual(["The user said no: not you"]);
  await child[Symbol.asyncDispose]();
  await main.coder.close();
});
