import { expect, test } from "bun:test";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

const tiny = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
const read = (path: string) => ({ tool: "read", input: { path } });
const bash = (command: string) => ({ tool: "bash", input: { command } });
/** Where these texts stand, from the top. */
const places = (tape: string, ...texts: string[]) => {
  const rows = tape.split("\n");
  return texts.map((text) => rows.findIndex((row) => row.includes(text)));
};

test("calls stand in the order in which they were made, and a file that was read stands there once", async () => {
  using dir = scratch();
  dir.write({ "work/one.txt": "1\n", "work/two.txt": "2\n" });
  const calls = [read("one.txt"), bash("echo between"), read("two.txt")];
  const argv = scripted(dir, { text: "Look.", calls }, { calls: [read("gone.txt")] }, { text: "Done." });
  const at = full(dir, ["--yolo", ...argv], { rows: 40 });
  await at.idle();
  at.type("go\r");
  await at.sees("Done.");
  await at.idle();
  const order = places(at.tape(), "read one.txt", "bash echo between", "read 2 files", "two.txt", "gone.txt", "Done.");
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(at.tape().match(/read \w+\.txt/g)).toHaveLength(1);
  await at.leave();
});

test("who goes to another question and back finds what was ticked, and a space too early does no harm", async () => {
  using dir = scratch();
  const options = [{ label: "Login" }, { label: "Search" }, { label: "Export" }];
  const questions = [
    { id: "db", question: "Which database?", options: [{ label: "SQLite" }, { label: "Postgres" }] },
    { id: "parts", question: "Which parts?", multi: true, options },
  ];
  const argv = scripted(dir, { calls: [{ tool: "ask", input: { questions } }] }, { text: "So: {{result}}" });
  const at = full(dir, argv, { rows: 40 });
  /** A question that stands takes keys a moment later; a key that does not move it is tried again. */
  const press = async (key: string, seen: string) => {
    const pressing = setInterval(() => at.type(key), 700);
    await at.sees(seen).finally(() => clearInterval(pressing));
  };
  await at.idle();
  at.type("go\r");
  await at.sees("up, down, a number");
  at.type(" ");
  await press("2", "Which parts?");
  await press("3", "◉ 3. Export");
  await press("2", "◉ 2. Search");
  await press("\x1b[D", "❯ 2. Postgres");
  await press("\x1b[C", "◉ 3. Export");
  expect(at.grid()).toContain("◉ 2. Search");
  await press("\r", "So: ");
  expect(at.tape()).toContain("User selected: Export, Search");
  await at.leave();
});

test("a picture that is dropped on the window is attached, whatever its name", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "" });
  await Bun.write(dir.at("work/my pic.png"), Buffer.from(tiny, "base64"));
  const at = full(dir, scripted(dir, { text: "Seen." }));
  await at.sees("Type what you want.");
  for (const [count, path] of [dir.at("work/my\\ pic.png"), `'${dir.at("work/my pic.png")}'`].entries()) {
    at.type(`\x1b[200~${path}\x1b[201~`);
    await at.sees(`[image #${count + 1}]`);
  }
  at.type("\r");
  await at.sees("[2 pictures]");
  await at.sees("Seen.");
  await at.leave();
});

test("a call says what it is about while it arrives", async () => {
  using dir = scratch();
  const input = { path: "poem.txt", content: "Roses are red.\n".repeat(20) };
  const argv = scripted(
    dir,
    { calls: [{ tool: "write", input }], chunkSize: 10, chunkDelayMs: 20 },
    { text: "Written." },
  );
  const at = full(dir, ["--yolo", ...argv], { rows: 40 });
  await at.idle();
  at.type("go\r");
  await until(
    () => at.grid().includes("write poem.txt") && !at.grid().includes("added poem"),
    "the name of the file before it is there",
  );
  expect(at.bytes()).not.toContain("{}");
  await at.sees("Written.");
  await at.leave();
});

test("a signal to end in the middle of an answer leaves nothing behind that is not the answer", async () => {
  using dir = scratch();
  const text = Array.from({ length: 80 }, (_, row) => `row ${row} end\n\n`);
  const at = full(dir, scripted(dir, { text, chunkDelayMs: 30 }));
  await at.idle();
  at.type("go\r");
  await at.sees("row 12 end");
  at.child.kill("SIGTERM");
  expect(await at.child.exited).toBe(130);
  expect(at.tape()).not.toContain("answering");
  const rows = [...at.tape().matchAll(/row (\d+) end/g)].map(([, row]) => Number(row));
  expect(rows).toEqual(rows.map((_, at) => at));
});

test("after a stop that nobody announced every row stands there once", async () => {
  using dir = scratch();
  const text = Array.from({ length: 40 }, (_, row) => `row ${row} end\n\n`);
  const at = full(dir, scripted(dir, { text, chunkDelayMs: 20 }));
  await at.idle();
  at.type("go\r");
  await at.sees("row 12 end");
  at.child.kill("SIGSTOP");
  at.child.kill("SIGCONT");
  await at.sees("row 39 end");
  await at.idle();
  const rows = [...at.tape().matchAll(/row (\d+) end/g)].map(([, row]) => Number(row));
  expect(rows).toEqual(Array.from({ length: 40 }, (_, row) => row));
  await at.leave();
});
