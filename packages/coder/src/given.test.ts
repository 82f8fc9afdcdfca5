// An agent of which a program says no more than it has to.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { memoryStorage, type Outcome, plainTool, schema as s } from "@pith/agent";
import { fauxModel, fauxStream, type Script } from "@pith/llm/faux";
import { openCoder } from "./coder.ts";
import type { Coder } from "./hall/coder.ts";
import type { CoderOptions } from "./options.ts";
import { resultsOf } from "./test/open.ts";
import { openToolbox } from "./toolbox.ts";

const saying = (...turns: Script["turns"]) => ({
  ...fauxModel("test", { turns }),
  vendor: "own",
  stream: fauxStream({ turns }),
});
async function opened(turns: Script["turns"], options: Partial<CoderOptions> = {}): Promise<Coder> {
  const coder = await openCoder({ model: saying(...turns), ...options });
  if (!coder.ok) throw new Error(coder.message);
  return coder.value;
}
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });

const dice = plainTool({
  name: "roll",
  about: "Rolls a die.",
  input: s.object({}),
  effect: "read",
  run: () => "It shows 4.",
});

test("an agent that was told nothing works in its own folder, knows no home, and leaves nothing", async () => {
  const coder = await opened([bash('pwd; echo "$HOME"; echo "[$PITH_SECRET]"; touch x; ls'), { text: "Done." }], {
    approval: "yolo",
  });
  process.env.PITH_SECRET = "ambient";
  await coder.send({ text: "look" });
  delete process.env.PITH_SECRET;
  const [said = ""] = resultsOf(coder);
  const [folder = "", home = ""] = said.split("\n");
  expect(folder).toMatch(/pith-\w+\/work$/);
  expect(home).toMatch(/pith-\w+\/user$/);
  expect(said).toContain("[]\nx");
  expect(coder.file).toBeUndefined();
  await coder.close();
  expect(existsSync(folder)).toBe(false);
});

test("with nobody to ask, what would be asked is refused", async () => {
  const coder = await opened([bash("curl example.org"), { text: "Done." }], { approval: "ask" });
  await coder.send({ text: "fetch" });
  expect(resultsOf(coder)[0]).toContain("there is nobody to ask");
  await coder.close();
});

test("a program's own tool, hook and policy take part, and a name that is taken is told", async () => {
  const part = { name: "dice", tools: [dice], hooks: [{ name: "fair", result: fair }] };
  const coder = await opened([{ calls: [{ tool: "roll" }, { tool: "read", input: { path: "." } }] }, { text: "Ok." }], {
    parts: [part],
    policy: ({ tool }) => (tool.name === "read" ? { do: "deny", reason: "not today" } : { do: "allow" }),
  });
  await coder.send({ text: "roll" });
  const [rolled, read] = resultsOf(coder);
  expect(rolled).toBe("It shows 4. (fair)");
  expect(read).toContain("not today");
  await coder.close();
  const twice = await openCoder({ model: saying(), parts: [{ name: "mine", tools: [{ ...dice, name: "read" }] }] });
  expect(twice).toMatchObject({ ok: false, kind: "tools", message: 'there is a tool "read" already' });
  const instead = {
    parts: [{ name: "mine", tools: [{ ...dice, name: "read" }] }],
    settings: { "read.enabled": false },
  };
  const mine = await opened([{ calls: [{ tool: "read" }] }, { text: "Ok." }], instead);
  await mine.send({ text: "read" });
  expect(resultsOf(mine)).toEqual(["It shows 4."]);
  await mine.close();
});

const fair = (_: unknown, outcome: Outcome) => ({ ...outcome, text: `${outcome.text} (fair)` });

test("a conversation goes on where the program's storage has it", async () => {
  const storage = memoryStorage();
  const first = await opened([{ text: "One." }], { session: { open: "storage", storage } });
  await first.send({ text: "count" });
  await first.close();
  const next = await opened([{ text: "One." }, { text: "Two." }], { session: { open: "storage", storage } });
  await next.send({ text: "go on" });
  expect(next.messageCount()).toBe(4);
  await next.close();
});

test("a setting that is none, or has no such value, is told", async () => {
  const wrong = { model: saying(), settings: { "bash.timeuot": 3 } as never };
  expect(await openCoder(wrong)).toMatchObject({
    kind: "settings",
    message: 'settings: there is no setting "bash.timeuot"; did you mean bash.timeout?',
  });
  expect(await openCoder({ model: saying(), settings: { "bash.timeout": "long" as never } })).toMatchObject({
    ok: false,
    message: expect.stringContaining("bash.timeout: expected"),
  });
});

test("a part that cannot be made throws at the program, and leaves nothing", async () => {
  let folder = "";
  const broken = ({ cwd }: { cwd: string }) => {
    folder = cwd;
    throw new Error("broken");
  };
  await expect(openCoder({ model: saying(), parts: [broken] })).rejects.toThrow("broken");
  expect(folder).not.toBe("");
  expect(existsSync(folder)).toBe(false);
});

test("many agents at once know nothing of each other", async () => {
  const coders = await Promise.all(
    Array.from({ length: 4 }, (_, at) => opened([bash(`echo ${at} > mine; cat mine`), { text: "Ok." }], yolo)),
  );
  await Promise.all(coders.map((coder) => coder.send({ text: "go" })));
  expect(coders.map((coder) => resultsOf(coder)[0]?.trim())).toEqual(coders.map((_, at) => String(at)));
  await Promise.all(coders.map((coder) => coder.close()));
});
const yolo: Partial<CoderOptions> = { approval: "yolo" };

test("tools run by hand, without anything said", async () => {
  await using box = openToolbox({});
  const { signal } = new AbortController();
  expect(await box.run("write", { path: "a.txt", content: "hello\n" }, signal)).toMatchObject({ isError: false });
  expect(JSON.stringify(await box.run("read", { path: "a.txt" }, signal))).toContain("hello");
});

test.each([
  [{ tools: [{ name: "mine" }] }, /^tools takes a list of names .*parts: \[\{ name, tools \}\]/],
  [{ tools: "read" }, /^tools takes .*found "read" \(did you mean \["read"\]\?\)/],
  [{ parts: {} }, /^parts takes a list .*found an object/],
  [{ cwd: 5 }, /^cwd takes the path of a directory; found 5/],
  [{ cwd: "/not/there" }, /^cwd: \/not\/there is not a directory/],
  [{ approval: "maybe" }, /^approval takes one of ask, write, auto, yolo, plan; found "maybe"/],
  [{ approval: "wrote" }, /did you mean "write"\?/],
  [{ asks: "no" }, /^asks takes true or false; found "no"/],
  [{ maxSteps: 0 }, /^maxSteps takes a whole number/],
  [{ session: "new" }, /^session takes \{ open: /],
  [{ session: { open: "file" } }, /^session takes /],
  [{ model: { id: "x" } }, /^model takes a name/],
  [{ env: { A: 1 } }, /^env takes an object of texts/],
  [{ aproval: "ask" }, /^there is no option "aproval"; did you mean approval\?/],
  [{ policy: "deny" }, /^policy takes a function/],
])("an option of the wrong kind is a failure that names it: %j", async (wrong, message) => {
  expect(await openCoder({ model: saying(), ...(wrong as object) } as never)).toMatchObject({
    ok: false,
    kind: "option",
    message: expect.stringMatching(message),
  });
});
