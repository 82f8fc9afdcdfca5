import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

const todo = (...ops: object[]) => ({ calls: [{ tool: "todo", input: { ops } }] });
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
const down = "\x1b[B";
const takeBack = "\x1bz";

test("/diff tells why something is not taken back, and shows no more what was", async () => {
  using dir = scratch();
  dir.write({ "work/gone.txt": "bye\n", "work/kept.txt": lines(80) });
  const change = "rm gone.txt; echo new > new.txt; sed -i 's/line 70/seventy/' kept.txt";
  const at = full(dir, [
    "--yolo",
    ...scripted(dir, { calls: [{ tool: "bash", input: { command: change } }] }, { text: "So." }),
  ]);
  await at.idle();
  at.type("/diff\r");
  await at.sees("has changed nothing");
  at.type("go\r");
  await at.sees("So.");
  await at.idle();
  at.type("/diff\r");
  await at.sees("❯ gone.txt (deleted)");
  await at.sees("line 70 +1 -1, go");
  at.type(takeBack);
  await at.sees("Taken back: gone.txt.");
  await at.gone("gone.txt (deleted)");
  expect(readFileSync(dir.at("work/gone.txt"), "utf8")).toBe("bye\n");
  rmSync(dir.at("work/new.txt"));
  symlinkSync("/etc/hostname", dir.at("work/new.txt"));
  at.type(`${down}${takeBack}`);
  await at.sees("new.txt: it was changed since; nothing was taken back");
  at.type("kept");
  await at.gone("it was changed since");
  at.type("\x1b");
  await at.gone("filter: kept");
  at.type("\x1b");
  await at.gone("changes of the session");
  for (const name of ["./kept.txt", dir.at("work/kept.txt")]) {
    at.type(`/diff ${name}\r`);
    await at.sees("changes of the file kept.txt: 1 hunk");
    at.type("\x1b");
    await at.gone("changes of the file");
  }
  await at.leave();
});

test("a hunk that is longer than the dialog can be read to its end", async () => {
  using dir = scratch();
  const big = { calls: [{ tool: "write", input: { path: "big.txt", content: lines(200) } }] };
  const at = full(dir, ["--yolo", ...scripted(dir, big, { text: "So." })]);
  await at.idle();
  at.type("go\r");
  await at.sees("So.");
  await at.idle();
  at.type("/diff\r");
  await at.sees("of 200");
  for (let page = 0; page < 30; page++) at.type("\x1b[6~");
  await at.sees("200 + line 200");
  at.type("\x1b");
  await at.gone("of 200");
  await at.leave();
});

test("tasks that are done are counted when they are no longer shown, and the list follows the tree", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/config.yml": "tasks:\n  todoClearDelay: 0\ntodo:\n  reminders: 0\n" });
  const at = full(
    dir,
    scripted(
      dir,
      todo({ op: "init", list: [{ phase: "Build", items: ["one", "two", "three"] }] }, { op: "done", task: "one" }),
      { text: "First." },
      todo({ op: "done", task: "two" }),
      { text: "Second." },
    ),
  );
  await at.idle();
  at.type("go\r");
  await at.sees("First.");
  await at.sees("Build 1 of 3");
  expect(at.grid()).not.toContain("✓ one");
  await at.idle();
  at.type("/tree\r");
  await at.sees("(here)");
  at.type("\x1b[H\r");
  await at.sees("No summary");
  at.type("\r");
  await at.gone("Build 1 of 3");
  await at.leave();
});

test("a setting of several values is chosen before it is kept, and rules are not shown as objects", async () => {
  using dir = scratch();
  const rule = { pattern: "**/.env", autoApprove: false };
  dir.write({ "home/.pith/config.yml": `approval:\n  files: [${JSON.stringify(rule)}]\n` });
  const at = full(dir, ["--model", "faux/echo"]);
  await at.idle();
  at.type("/settings\r");
  await at.sees("filter:");
  at.type("approval.mode");
  await at.sees("❯ approval.mode");
  at.type("\r");
  await at.sees("ask  [write]  auto");
  at.type("\x1b[D\x1b[D\x1b[D");
  await at.sees("[yolo]");
  at.type("\x1b");
  await at.gone("[yolo]");
  expect(readFileSync(dir.at("home/.pith/config.yml"), "utf8")).not.toContain("yolo");
  at.type("\r\x1b[D\r");
  await at.sees("ask (global)");
  at.type("\x15approval.files");
  await at.sees(`approval.files  [{"pattern":"**/.env","autoApprove":false}]`);
  at.type("\r");
  await at.sees(`approval.files ❯ [{"pattern"`);
  at.type("\x15\x1b[200~[]\x1b[201~\r");
  await at.sees("approval.files  (empty)");
  at.type("\x03");
  await at.gone("approval.files");
  await at.leave();
});

test("a session is shown with how it began and how it ended, and one that has none to show says so", async () => {
  using dir = scratch();
  const at = full(dir, ["--model", "faux/echo"]);
  await at.idle();
  at.type("/resume\r");
  await at.sees("there is no other session yet");
  at.type("\x1b");
  await at.gone("there is no other session yet");
  await at.leave();
  await pith(dir, ["-p", "why is the sky blue", ...scripted(dir, { text: "Because of **the air**.\n\nAnd more." })]);
  const again = full(dir, ["--model", "faux/echo"], { env: { TZ: "Asia/Tokyo" } });
  await again.idle();
  again.type("/resume\r");
  await again.sees("you: why is the sky blue");
  await again.sees("answer: Because of the air.");
  const hour = new Date().toLocaleTimeString("en-GB", { timeZone: "Asia/Tokyo", hour: "2-digit" }).slice(0, 2);
  expect(again.grid()).toContain(` ${hour}:`);
  again.type("\x1b");
  await again.gone("find:");
  await again.leave();
});

test("the branch that is checked out elsewhere is seen while nothing happens here", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "" });
  let n = 0;
  const checkOut = (name: string) =>
    Bun.spawnSync(["git", "-C", dir.at("work"), "checkout", "-q", "-b", name], {
      env: { PATH: process.env.PATH ?? "" },
    });
  Bun.spawnSync(["git", "init", "-q", "-b", "early", dir.at("work")]);
  const at = full(dir, ["--model", "faux/echo"]);
  await at.idle();
  await at.sees("early");
  // The watch begins when the first frames are there.
  const seen = () => {
    checkOut(`late${n++}`);
    return at.grid().includes("late");
  };
  await until(seen, "another branch", 30_000);
  await at.leave();
});

test("/export writes over nothing that is there, and knows the home directory", async () => {
  using dir = scratch();
  dir.write({ "work/precious.html": "mine" });
  const at = full(dir, ["--model", "faux/echo"], { columns: 200 });
  await at.idle();
  at.type("hello\r");
  await at.sees("  hello");
  await at.idle();
  at.type("/export html precious.html\r");
  await at.wrote("is there already; name another file.");
  expect(readFileSync(dir.at("work/precious.html"), "utf8")).toBe("mine");
  at.type("/export nowhere/x.html\r");
  await at.wrote("There is no directory");
  at.type("/export ~/x.html\r");
  await at.wrote("home/x.html.");
  expect(existsSync(dir.at("home/x.html"))).toBe(true);
  await at.leave();
});

test("the tour does not look as if it worked in your project", async () => {
  using dir = scratch();
  const at = full(dir, []);
  await at.sees("Press Enter for the tour");
  await at.sees("pith-stage-");
  expect(at.grid()).not.toContain(dir.at("work"));
  at.type("\x04");
  expect(await at.child.exited).toBe(0);
});

test("a theme of your own that has the name of a built-in one is called yours", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/themes/ember.json": "{}" });
  const at = full(dir, ["--model", "faux/echo"]);
  await at.idle();
  at.type("/theme\r");
  await at.sees("fjord           for dark backgrounds");
  await at.sees("ember           your own");
  at.type("\x1b");
  await at.gone("filter:");
  await at.leave();
});

test("while the model works the status line says how to stop it, by the key that does", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/keybindings.yml": "app.interrupt: ctrl+x\n" });
  // Wide: the name of the model is the path of its script.
  const at = full(dir, scripted(dir, { text: "Begun.", hang: true }), { columns: 200 });
  await at.idle();
  expect(at.grid()).not.toContain("stops");
  at.type("go\r");
  await at.sees("ctrl+x stops");
  at.type("\x18");
  await at.sees("Interrupted.");
  await at.gone("ctrl+x stops");
  await at.leave();
});

test("Ctrl+P goes to the models that have a role and back, and signs of another kind are seen at once", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/config.yml": "roles:\n  smol: faux/tour\n" });
  const at = full(dir, ["--model", "faux/echo"]);
  await at.idle();
  at.type("\x10");
  await at.sees("From here on faux/tour is asked.");
  at.type("\x10");
  await at.sees("From here on faux/echo is asked.");
  at.type("/settings\r");
  await at.sees("── settings:");
  at.type("symbolPreset");
  await at.sees("❯ symbolPreset");
  at.type("\r\x1b[D\r");
  await at.sees("-- settings:");
  await at.sees("-- Enter changes - Delete");
  at.type("\x03");
  await at.gone("settings:");
  at.type("\x04");
  expect(await at.child.exited).toBe(0);
});
