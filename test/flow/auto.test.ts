// The mode `auto` of a settings file, where the sandbox works and where it does not.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { model as served } from "../model.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

const auto = "approval:\n  mode: auto\n";
const bash = (command: string) => ({ tool: "bash", input: { command } });
const remark = /The mode auto of the settings holds in a sandbox only/g;

/** A search path on which bubblewrap always fails. */
function broken(dir: Scratch): { PATH: string } {
  dir.write({ "bin/bwrap": "#!/bin/sh\nexit 1\n" });
  return { PATH: `${dir.at("bin")}:${process.env.PATH}` };
}

const cases: readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  flags: readonly string[],
  runs: boolean,
][] = [
  ["no sandbox works", { "home/.pith/config.yml": auto }, [], false],
  ["--sandbox off", { "home/.pith/config.yml": auto }, ["--sandbox", "off"], false],
  ["the same file says off", { "home/.pith/config.yml": `${auto}sandbox:\n  mode: off\n` }, [], true],
  ["--approval auto", { "home/.pith/config.yml": auto }, ["--approval", "auto"], true],
];

for (const [name, files, flags, runs] of cases)
  test(`auto of a settings file is ${runs ? "kept" : "write, and said once"}: ${name}`, async () => {
    using dir = scratch();
    dir.write(files);
    const model = scripted(dir, { calls: [bash("touch one"), bash("touch two")] }, { text: "done" });
    const { err } = await pith(dir, ["-p", "go", ...flags, ...model], { env: broken(dir) });
    expect([existsSync(dir.at("work/one")), existsSync(dir.at("work/two"))]).toEqual([runs, runs]);
    expect(err.match(remark)?.length ?? 0).toBe(runs ? 0 : 1);
  });

test("/approval auto counts as said, before the first command and after it", async () => {
  for (const when of ["before", "after"] as const) {
    using dir = scratch();
    dir.write({ "home/.pith/config.yml": auto });
    const make = (file: string) => ({ calls: [{ tool: "bash", args: { command: `touch ${file}` } }] });
    using told = served(make("first"), { text: "One." }, make("second"), { text: "Two." });
    const desk = terminal(dir, [...told.argv], { ...told.env, ...broken(dir), PITH_NO_TITLE: "1" });
    await desk.waits();
    const choose = async () => {
      desk.type("/approval auto\n");
      await desk.sees("Approval mode: auto.");
      await desk.waits();
    };
    if (when === "before") await choose();
    desk.type("begin\n");
    if (when === "after") {
      await desk.answers("n");
    }
    await desk.sees("One.");
    await desk.waits();
    if (when === "after") await choose();
    desk.type("go on\n");
    await desk.sees("Two.");
    await desk.waits();
    desk.type("\u0004");
    await desk.child.exited;
    const made = ["first", "second"].map((file) => existsSync(dir.at("work", file)));
    expect([when, ...made]).toEqual([when, when === "before", true]);
  }
}, 30_000);
