import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { need } from "../need.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { tmuxed } from "../tmux.ts";

const tiny = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
const read = (path: string) => ({ tool: "read", input: { path } });
const bash = (command: string) => ({ tool: "bash", input: { command } });
/** Rows of these texts, from the top. */
const places = (tape: string, ...texts: string[]) => {
  const rows = tape.split("\n");
  return texts.map((text) => rows.findIndex((row) => row.includes(text)));
};

test.skipIf(need("tmux") !== undefined)(
  "calls stand in the order in which they were made, and a file that was read stands there once",
  async () => {
    using dir = scratch();
    dir.write({ "work/one.txt": "1\n", "work/two.txt": "2\n" });
    const calls = [read("one.txt"), bash("echo between"), read("two.txt")];
    const argv = scripted(dir, { text: "Look.", calls }, { calls: [read("gone.txt")] }, { text: "Done." });
    using at = tmuxed(dir, ["--yolo", ...argv], { rows: 40 });
    await at.idle();
    at.type("go\r");
    await at.sees("Done.");
    await at.idle();
    const order = places(
      at.tape(),
      "read one.txt",
      "bash echo between",
      "read 2 files",
      "two.txt",
      "gone.txt",
      "Done.",
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(at.tape().match(/read \w+\.txt/g)).toHaveLength(1);
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)(
  "who goes to another question and back finds what was ticked, and a space too early does no harm",
  async () => {
    using dir = scratch();
    const options = [{ label: "Login" }, { label: "Search" }, { label: "Export" }];
    const questions = [
      { id: "db", question: "Which database?", options: [{ label: "SQLite" }, { label: "Postgres" }] },
      { id: "parts", question: "Which parts?", multi: true, options },
    ];
    const argv = scripted(dir, { calls: [{ tool: "ask", input: { questions } }] }, { text: "So: {{result}}" });
    using at = tmuxed(dir, argv, { rows: 40 });
    /** A question that stands takes keys a moment later; a key that does not move it is tried again. */
    const press = async (key: string, seen: string) => {
      const pressing = setInterval(() => at.type(key), 700);
      await at.sees(seen).finally(() => clearInterval(pressing));
    };
    await at.idle();
    at.type("go\r");
    await at.sees("up/down, 1-");
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
  },
);

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
  await at.sees("Seen.");
  expect(at.grid().match(/\[PNG picture, [^\]]*\]/g)).toHaveLength(2);
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

test.skipIf(need("tmux") !== undefined)(
  "what a project would run is named above the composer, shown, and trusted by a key",
  async () => {
    using dir = scratch();
    dir.write({ "work/.pith/config.yml": "bash.path: /bin/evil\n" });
    using at = tmuxed(dir, ["--yolo", ...scripted(dir, { text: "Heard." })]);
    await at.sees("left out until you trust it: 1 thing (.pith/config.yml)");
    at.type("still typing");
    await at.sees("❯ still typing");
    at.type("\x15/trust\r");
    await at.sees("bash.path: /bin/evil");
    at.type("y");
    await at.sees("Trusted as shown");
    at.type("go\r");
    await at.sees("Heard.");
    await at.gone("left out until");
    await at.leave();
    using next = tmuxed(dir, ["--yolo", ...scripted(dir, { text: "." })]);
    await next.sees("Type what you want.");
    next.type("/trust\r");
    await next.sees("nothing that waits for a yes");
    next.type("\x1b");
    await next.idle();
    await next.leave();
  },
);

test("a path that the model named opens in the editor at its line, and the screen comes back", async () => {
  using dir = scratch();
  dir.write({ "work/src/a.ts": "one\ntwo\n", vi: '#!/bin/sh\necho "$@" > "$HOME/opened"\n' });
  chmodSync(dir.at("vi"), 0o755);
  const text = "It is in `src/a.ts:2`, not in nowhere.ts:9.";
  const at = full(dir, scripted(dir, { text }), { env: { VISUAL: dir.at("vi") } });
  const opened = () => (existsSync(dir.at("home/opened")) ? readFileSync(dir.at("home/opened"), "utf8") : "");
  await at.idle();
  at.type("where\r");
  await at.sees("It is in src/a.ts:2");
  await at.idle();
  at.type("/open\r");
  await until(() => opened() === `+2 ${dir.at("work/src/a.ts")}\n`, "the editor at line 2");
  await at.idle();
  at.type("/open src/a.ts:1\r");
  await until(() => opened() === `+1 ${dir.at("work/src/a.ts")}\n`, "the editor at line 1");
  await at.idle();
  at.type("/open nowhere.ts\r");
  await at.sees("There is no file nowhere.ts.");
  expect(at.tape().match(/It is in src/g)).toHaveLength(1);
  await at.leave();
});

test.skipIf(need("tmux") !== undefined)(
  "in a small window the command stays in sight, what is hidden is counted, and nobody says yes to what is not seen",
  async () => {
    using dir = scratch();
    const calls = [{ tool: "bash", input: { command: `echo ${"and so on ".repeat(30)}` } }];
    using at = tmuxed(dir, ["--approval", "ask", ...scripted(dir, { calls }, { text: "." })], {
      columns: 40,
      rows: 12,
    });
    await at.idle();
    at.type("go\r");
    await at.sees("y yes");
    at.type("\x1b[200~a\rdraft\rof lines\x1b[201~");
    await at.sees("of lines");
    const [first = ""] = at
      .grid()
      .split("\n")
      .filter((row) => row.startsWith("│"));
    expect(at.grid()).toMatch(/\d+ lines hidden: Ctrl\+O shows all/);
    expect(first).toContain("$ echo and so on");
    at.resize(40, 9);
    await until(() => at.grid().startsWith("│ $ echo and so on"), "the command in nine rows");
    await at.sees("y yes");
    at.resize(40, 8);
    await at.sees("a question: make the window taller");
    await at.takesKeys();
    at.type("y");
    await at.sees("of linesy");
    at.type("\x03");
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)(
  "a program that needs a terminal has it for itself when a person runs it, and no row stands twice after it",
  async () => {
    using dir = scratch();
    dir.write({ "bin/nano": '#!/bin/sh\necho "the file is $1, $EDITOR"; read key; echo "read $key"; exit 3\n' });
    chmodSync(dir.at("bin/nano"), 0o755);
    const text = Array.from({ length: 30 }, (_, at) => `row ${at}.`).join("\n\n");
    using at = tmuxed(dir, scripted(dir, { text }), {
      env: { PATH: `${dir.at("bin")}:${process.env.PATH}`, EDITOR: "my-editor" },
    });
    await at.idle();
    at.type("go\r");
    await at.sees("row 29.");
    await at.idle();
    at.type("!nano notes.txt\r");
    await at.sees("the file is notes.txt, my-editor");
    await at.sees("Ctrl+] ends it");
    at.type("x\r");
    await at.sees("! nano notes.txt");
    await at.sees("exit 3");
    await at.idle();
    const rows = [...at.tape().matchAll(/row (\d+)\./g)].map(([, row]) => Number(row));
    expect(rows).toEqual(Array.from({ length: 30 }, (_, row) => row));
    at.type("!nano more.txt\r");
    await at.sees("more.txt, my-editor");
    at.type("\x1d");
    await at.sees("cancelled");
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)("a small dialog leaves nothing of what is typed below it", async () => {
  using dir = scratch();
  using at = tmuxed(dir, scripted(dir, { text: "Hello." }));
  await at.idle();
  at.type("/jobs\r");
  await at.sees("there are no background jobs");
  expect(at.grid().trimEnd().split("\n").at(-1)).toContain("Esc closes");
  at.type("\x1b");
  await at.idle();
  await at.leave();
});
