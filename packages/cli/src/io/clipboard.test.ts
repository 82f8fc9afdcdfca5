import { expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { fail, ok } from "@pith/kit";
import { scratch } from "@pith/kit/test";
import { type CopyNeeds, copyText } from "./clipboard.ts";

async function copied(env: CopyNeeds["env"], has: readonly string[], text = "x", platform = "linux") {
  const ran: string[] = [];
  let written = "";
  const way = await copyText(text, {
    env,
    platform,
    write: (bytes) => {
      written += bytes;
    },
    has: (name) => has.includes(name),
    run: async (name, _, input) => {
      ran.push(name);
      return input === "broken" ? fail("failed", "no display") : ok(undefined);
    },
  });
  return { way: way.ok ? way.value : way.message, ran, written };
}

test("what is copied goes by the system's own program, then by tmux, then by the terminal", async () => {
  expect((await copied({}, ["pbcopy"], "x", "darwin")).way).toBe("pbcopy");
  expect((await copied({ WAYLAND_DISPLAY: "w", DISPLAY: ":0" }, ["xclip", "wl-copy"])).way).toBe("wl-copy");
  expect((await copied({ DISPLAY: ":0", TMUX: "/t" }, ["xsel", "tmux"])).way).toBe("xsel");
  expect((await copied({ TMUX: "/t" }, ["xclip", "tmux"])).way).toBe("tmux's buffer");
  const terminal = await copied({ TERM: "xterm" }, ["xclip"], "hé");
  expect([terminal.ran, terminal.written]).toEqual([[], `\x1b]52;c;${Buffer.from("hé").toString("base64")}\x07`]);
  // At the other end of a line, the program would fill a clipboard that nobody sits at.
  expect((await copied({ DISPLAY: ":0", SSH_TTY: "/dev/pts/1" }, ["xclip"])).written).toContain("]52;c;");
});

test("a copy that failed says why", async () => {
  expect((await copied({ DISPLAY: ":0", TERM: "dumb" }, ["xclip"], "broken")).way).toBe(
    "Not copied: xclip: no display.",
  );
  expect((await copied({ TERM: "linux" }, [])).way).toContain("no program for the clipboard");
  expect((await copied({ TERM: "xterm" }, [], "y".repeat(80_000))).way).toContain("this has 80000");
});

test("a real program gets the very text", async () => {
  using dir = scratch();
  dir.write({ "bin/xclip": `#!/bin/sh\ncat > "${dir.at("got")}"\n` });
  chmodSync(dir.at("bin/xclip"), 0o755);
  const text = "a\x1b[31m\n\u202eb";
  // Found by the path of the environment; started by ours.
  const path = `${dir.at("bin")}:${process.env.PATH}`;
  const before = process.env.PATH;
  process.env.PATH = path;
  try {
    const env = { PATH: path, DISPLAY: ":0" };
    expect(await copyText(text, { env, platform: "linux", write: undefined })).toEqual(ok("xclip"));
  } finally {
    process.env.PATH = before;
  }
  expect(readFileSync(dir.at("got"), "utf8")).toBe(text);
});
