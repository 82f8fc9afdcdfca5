// A record of whatever was said on the way plays again to the same end.
import { expect, test } from "bun:test";
import { ask, model } from "../model.ts";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

const bash = (command: string, more: object = {}) => ({ tool: "bash", args: { command, ...more } });
const until = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done; echo ${file}`;

async function check(dir: Scratch): Promise<void> {
  const [file = ""] = [...new Bun.Glob("home/.pith/sessions/**/*.jsonl").scanSync({ cwd: dir.path, dot: true })];
  expect(await pith(dir, ["replay", "--check", dir.at(file)])).toEqual({ code: 0, signal: null, out: "", err: "" });
}

test("steering, at any moment of a turn and one by one", async () => {
  for (const mode of ["all", "one-at-a-time"]) {
    using dir = scratch();
    dir.write({ "home/.pith/config.yml": `steeringMode: ${mode}\n` });
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
    let count = 0;
    const reached = gates.map(() => Promise.withResolvers<void>());
    using told = model(async ({ said }) => {
      const at = count++;
      reached[at]?.resolve();
      await gates[at]?.promise;
      return at === 0 ? { calls: [bash(until("go")), bash("echo 2")] } : { text: `answer to ${said.at(-1)}.` };
    });
    const desk = terminal(dir, ["--yolo", ...told.argv], { ...told.env, PITH_NO_TITLE: "1" });
    const steer = async (words: string) => {
      desk.type(`${words}\n`);
      await desk.sees(`next: ${words}`);
    };
    await desk.waits();
    desk.type("begin\n");
    await reached[0]?.promise;
    await steer("one");
    await steer("two");
    gates[0]?.resolve();
    await desk.sees("• bash until");
    await steer("three");
    dir.write({ "work/go": "" });
    await reached[1]?.promise;
    await steer("four");
    for (const gate of gates) gate.resolve();
    await desk.sees("answer to user: four.");
    await desk.waits();
    desk.type("\u0004");
    await desk.child.exited;
    const heard = told.asked.map(({ said }) => said.filter((text) => text.startsWith("user")).length);
    expect([mode, heard]).toEqual([mode, mode === "all" ? [1, 4, 5] : [1, 2, 3, 4, 5]]);
    await check(dir);
  }
});

test("ends of jobs with a step, with a reminder and by a turn of their own, and words in between", async () => {
  using dir = scratch();
  using told = model(
    { calls: [bash("echo quick", { async: true }), bash(until("go"), { async: true })] },
    ({ raw }) => (raw.includes("Background job bash-1 (") ? { text: "One is left." } : { calls: [bash("sleep 0.02")] }),
    ({ raw }) => (raw.includes("Background job bash-2 (") ? { text: "All ended." } : { text: "One is left." }),
  );
  const desk = terminal(dir, ["--yolo", ...told.argv], told.env);
  await desk.waits();
  desk.type("begin\n");
  await desk.sees("One is left.");
  await desk.waits();
  dir.write({ "work/go": "" });
  await desk.sees("All ended.");
  await desk.waits();
  desk.type("!echo typed by hand\n");
  await desk.sees("  typed by hand");
  await desk.waits();
  desk.type("and now?\n");
  await desk.waits();
  desk.type("/todo add something\n");
  await desk.sees("- [/] something");
  desk.type("\u0004");
  await desk.child.exited;
  await check(dir);
  await ask(dir, told, "-c", "--model", "openai/gpt-5.4", "go on");
  await check(dir);
});

test("broken arguments, unknown tools, refusals and further messages", async () => {
  using dir = scratch();
  using told = model(
    {
      calls: [
        { tool: "read", args: '{"path": "a",' },
        { tool: "Bash", args: { command: "x" } },
        { tool: "write", args: '{"path"' },
      ],
    },
    ({ said }) => (said.at(-1)?.includes("poison") ? { refuse: 400 } : { text: "Fine." }),
  );
  await ask(dir, told, "one", "--next", "two", "--next", "three");
  await ask(dir, told, "-c", "poison");
  await ask(dir, told, "-c", "go on");
  await check(dir);
});
