import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { scratch, until } from "../../packages/kit/src/test/index.ts";
import { course, endlessCalls, endlessWork } from "../endless.ts";
import { now } from "../mock.ts";

/** The same in the full screen, typed into a pty of 120 × 40. */
export default endlessWork("the full screen", async (lab) => {
  using folder = scratch();
  for (const name of ["home", "tmp"]) mkdirSync(folder.at(name));
  const mock = Bun.spawn([process.execPath, join(import.meta.dir, "..", "mock.ts")], { stdout: "pipe" });
  const { value } = await mock.stdout.getReader().read();
  const base = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`;
  const scene = { play: "rounds", calls: endlessCalls(lab.project) };
  await fetch(`${base}/scene`, { method: "POST", body: JSON.stringify(scene) });
  let output = "";
  const child = Bun.spawn([lab.pith, "--model", "openai/bench", "--yolo"], {
    cwd: lab.project,
    env: {
      HOME: folder.at("home"),
      TMPDIR: folder.at("tmp"),
      PATH: process.env.PATH,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      PITH_NO_TITLE: "1",
      OPENAI_BASE_URL: `${base}/v1`,
      OPENAI_API_KEY: "bench",
    },
    terminal: {
      cols: 120,
      rows: 40,
      data(_, data) {
        output = (output + Buffer.from(data).toString("latin1")).slice(-20_000);
      },
    },
  });
  await until(() => output.includes("\u00e2\u009d\u00af"), "the composer");
  await Bun.sleep(1000);
  const seen = async () => (await (await fetch(`${base}/count`)).json()) as number;
  try {
    return await course(child.pid, async (n) => {
      const before = await seen();
      const began = now();
      child.terminal?.write(`do step ${n}`);
      await Bun.sleep(5);
      child.terminal?.write("\r");
      // A call and the answer to its result; a compaction asks too.
      while ((await seen()) < before + 2) {
        if (now() - began > 60_000) throw new Error(`step ${n} was not answered`);
        await Bun.sleep(5);
      }
      await Bun.sleep(20);
    });
  } finally {
    child.kill("SIGKILL");
    mock.kill();
  }
});
