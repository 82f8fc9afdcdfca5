// Commands fill what they have for small files, behind the wall: they are told, and nothing of the session is lost.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { need } from "../need.ts";
import { envOf, main, scripted } from "../pith.ts";
import { run, scratch } from "../scratch.ts";

const lacking = ["bwrap", "unshare"].some((name) => need(name) !== undefined);
const root = process.getuid?.() === 0;
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });

test.skipIf(lacking).each(["small", "the same"])(
  "a full /tmp of the sandbox is an error of the command that filled it; where pith writes is %s",
  async (own) => {
    using dir = scratch();
    dir.write({ "work/.keep": "", "home/.keep": "", "tmp/.keep": "" });
    const model = scripted(
      dir,
      bash("export A=kept; head -c 40000000 /dev/zero > /tmp/x; echo code $?"),
      bash("echo y > made; echo $A still"),
      { calls: [{ tool: "write", input: { path: "/tmp/w.txt", content: "words" } }] },
      bash("rm -f /tmp/x; echo $A again > /tmp/y; cat /tmp/y"),
      { calls: [{ tool: "read", input: { path: "/tmp/y" } }] },
      { text: "done" },
    );
    const small = (place: string) => `mount -t tmpfs -o size=8m none ${place}`;
    const within = `${small("/var/tmp")} && ${small("/dev/shm")} && cd work && exec "$@"`;
    const env = envOf(dir, own === "small" ? {} : { TMPDIR: "/var/tmp" });
    const pith = [process.execPath, main, "-p", "go", "--mode", "json", ...model];
    const ran = await run(["unshare", ...(root ? ["-m"] : ["-Urm"]), "sh", "-c", within, "sh", ...pith], {
      cwd: dir.path,
      env,
    });
    const results = ran.out
      .split("\n")
      .filter((line) => line.includes('"tool_execution_end"'))
      .map((line) => JSON.parse(line).result.content[0].text as string);
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(results[0]).toContain("No space left on device");
    expect(results[1]).toContain("still");
    expect(existsSync(dir.at("work/made"))).toBe(true);
    expect(results[3]).toContain("again");
    expect(results[4]).toContain("again");
  },
  30_000,
);
