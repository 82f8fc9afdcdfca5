import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { scratch, until } from "@pith/kit/test";
import { need } from "../../../../test/need.ts";
import { createVirtualTerminal } from "./virtual-terminal.ts";

// The engine in terminals that are not ours: tmux, GNU screen, and a bare pty.

const { path: folder } = scratch(afterAll);
const demo = join(import.meta.dir, "run-demo.ts");
const run = (...command: string[]) =>
  Bun.spawnSync(command, {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      SCREENDIR: join(folder, "screens"),
    },
  }).stdout.toString();
mkdirSync(join(folder, "screens"), { mode: 0o700 });

const numbers = (text: string) => [...text.matchAll(/row (\d+)\./g)].map((match) => Number(match[1]));
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
/** The frames that a demo has drawn so far. */
const framesIn = (log: string): number => (existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0);

test.skipIf(need("tmux") !== undefined)(
  "in tmux every row is in the pane's history once, and no resize loses one",
  async () => {
    const socket = `pith-${process.pid}`;
    const tmux = (...args: string[]) => run("tmux", "-L", socket, ...args);
    tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-s", "s", `bash --norc -i`);
    try {
      const all = () => tmux("capture-pane", "-p", "-S", "-", "-t", "s");
      const type = (text: string) => {
        tmux("send-keys", "-t", "s", "-l", text);
        tmux("send-keys", "-t", "s", "Enter");
      };
      const log = join(folder, "tmux.jsonl");
      type(`${process.execPath} --no-install ${demo} tmux-256color ${log}`);
      await until(() => all().includes("❯"), "the editor");
      type("add 100");
      await until(() => all().includes("row 99."), "100 rows");
      expect(numbers(all())).toEqual(upTo(100));
      type("live 30");
      await until(() => all().includes("row 129."), "a live block");
      expect(numbers(all()).slice(0, 100)).toEqual(upTo(100));
      type("done");
      await until(() => numbers(all()).length === 130, "its end");
      expect(numbers(all())).toEqual(upTo(130));
      let total = 130;
      for (const [columns, rows] of [
        [80, 12],
        [80, 30],
        [24, 29],
        [85, 32],
        [50, 30],
        [100, 20],
      ] as const) {
        const before = framesIn(log);
        tmux("resize-window", "-t", "s", "-x", String(columns), "-y", String(rows));
        await until(() => framesIn(log) > before, `a frame of ${columns}x${rows}`);
        type("add 5");
        total += 5;
        await until(() => all().includes(`row ${total - 1}.`), `rows after ${columns}x${rows}`);
        expect([columns, rows, [...new Set(numbers(all()))]]).toEqual([columns, rows, upTo(total)]);
      }
      expect(numbers(all()).length - total).toBeLessThan(90);
      tmux("send-keys", "-t", "s", "C-z");
      await until(() => all().includes("Stopped"), "the shell");
      type("echo in the shell; fg");
      await until(() => /in the shell\n[\s\S]*❯/.test(all()), "coming back");
      type("add 3");
      await until(() => all().includes(`row ${total + 2}.`), "rows after the shell");
      expect([...new Set(numbers(all()))].sort((a, b) => a - b)).toEqual(upTo(total + 3));
      tmux("send-keys", "-t", "s", "C-q");
      await until(() => /[#$]\s*$/.test(all()), "the shell after leaving");
      expect(all()).toContain(`row ${total + 2}.`);
    } finally {
      tmux("kill-server");
    }
  },
  120_000,
);

test.skipIf(need("tmux") !== undefined)(
  "what waits for input and is stopped goes on when the shell says so, with all its rows",
  async () => {
    const tmux = (...args: string[]) => run("tmux", "-L", `pith-idle-${process.pid}`, ...args);
    tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-s", "s", "bash --norc -i");
    try {
      const all = () => tmux("capture-pane", "-p", "-S", "-", "-t", "s");
      const type = (text: string) => tmux("send-keys", "-t", "s", text, "Enter");
      type(`${process.execPath} --no-install ${demo} xterm-256color`);
      await until(() => all().includes("❯"), "the editor");
      type("add 5");
      await until(() => all().includes("row 4."), "5 rows");
      tmux("send-keys", "-t", "s", "C-z");
      await until(() => all().includes("Stopped"), "the shell");
      type("clear; fg");
      await until(() => all().includes("❯"), "coming back");
      type("add 2");
      await until(() => all().includes("row 6."), "rows after the stop");
      expect([...new Set(numbers(all()))]).toEqual(upTo(7));
    } finally {
      tmux("kill-server");
    }
  },
  60_000,
);

test.skipIf(need("screen") !== undefined)(
  "in GNU screen every row is in the history once",
  async () => {
    const name = `pith${process.pid}`;
    const screen = (...args: string[]) => run("screen", "-S", name, ...args);
    run(
      "screen",
      "-c",
      "/dev/null",
      "-h",
      "2000",
      "-U",
      "-dmS",
      name,
      process.execPath,
      "--no-install",
      demo,
      "screen-256color",
      join(folder, "screen.jsonl"),
    );
    try {
      const copy = join(folder, "copy.txt");
      const all = () => {
        rmSync(copy, { force: true });
        screen("-X", "hardcopy", "-h", copy);
        try {
          return readFileSync(copy, "utf8");
        } catch {
          // The file is written a moment later, or is being written: a look may have to be repeated.
          return "";
        }
      };
      await until(() => framesIn(join(folder, "screen.jsonl")) > 0, "the editor");
      screen("-X", "stuff", "add 100\r");
      const holds = (count: number) => numbers(all()).join() === upTo(count).join();
      await until(() => holds(100), "100 rows, each once");
      screen("-X", "stuff", "live 40\r");
      await until(() => numbers(all()).includes(139), "a live block");
      screen("-X", "stuff", "done\r");
      await until(() => holds(140), "140 rows, each once");
    } finally {
      screen("-X", "quit");
    }
  },
  120_000,
);

test("in a bare pty a resize writes everything again, and a crash gives the terminal back", async () => {
  const tty = createVirtualTerminal(80, 24);
  let bytes = "";
  const decoder = new TextDecoder();
  const log = join(folder, "frames.jsonl");
  const child = Bun.spawn([process.execPath, "--no-install", demo, "xterm-256color", log], {
    terminal: {
      cols: 80,
      rows: 24,
      data: (_, data) => {
        const text = decoder.decode(data, { stream: true });
        bytes += text;
        tty.write(text);
      },
    },
  });
  const type = (text: string) => child.terminal?.write(text);
  await until(() => tty.grid().some((row) => row.startsWith("❯")), "the editor");
  type("add 300\r");
  await until(() => numbers(tty.tape().join("\n")).length === 300, "300 rows");
  expect(numbers(tty.tape().join("\n"))).toEqual(upTo(300));
  type("box\r");
  await until(() => tty.grid().join().includes("over the rows"), "the box");
  type("add 50\rbox\r");
  await until(() => numbers(tty.tape().join("\n")).length === 350, "350 rows");
  tty.resize(40, 10);
  child.terminal?.resize(40, 10);
  await until(() => bytes.includes("\x1b[3J"), "the resize");
  await until(() => numbers(tty.tape().join("\n")).length === 350, "all rows again");
  expect(numbers(tty.tape().join("\n"))).toEqual(upTo(350));
  expect(tty.history().join()).not.toContain("over the rows");
  const frames = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { message: string; data: { history: { committed: number } } });
  expect([...new Set(frames.map((frame) => frame.message))]).toEqual(
    expect.arrayContaining(["frame first", "frame seam", "frame diff", "frame clear"]),
  );
  expect(frames.at(-1)?.data.history.committed).toBeGreaterThan(300);
  type("crash\r");
  expect(await child.exited).not.toBe(0);
  expect(bytes).not.toContain("?1049");
  expect(bytes.lastIndexOf("\x1b[?25h")).toBeGreaterThan(bytes.lastIndexOf("\x1b[?25l"));
  expect(bytes.lastIndexOf("\x1b[?2004l")).toBeGreaterThan(bytes.lastIndexOf("\x1b[?2004h"));
}, 120_000);

test("a shell can type again after a program that was killed by any signal that can be heard", async () => {
  for (const signal of ["TERM", "INT", "HUP", "QUIT"]) {
    let bytes = "";
    const child = Bun.spawn(
      ["sh", "-c", `trap '' INT QUIT; ${process.execPath} --no-install ${demo} xterm-256color; stty -a; echo over`],
      {
        terminal: {
          cols: 80,
          rows: 24,
          data: (_, data) => {
            bytes += new TextDecoder().decode(data);
          },
        },
      },
    );
    await until(() => bytes.includes("❯"), "the editor");
    child.terminal?.write(`kill ${signal}\r`);
    await until(() => bytes.includes("over"), `the shell after ${signal}`);
    expect([signal, bytes.includes(" icanon"), bytes.includes(" echo ")]).toEqual([signal, true, true]);
    expect(bytes.lastIndexOf("\x1b[?2004l")).toBeGreaterThan(bytes.lastIndexOf("\x1b[?2004h"));
    await child.exited;
  }
}, 120_000);
