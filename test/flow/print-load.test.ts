// What a run loads: nothing that its command does not use.
import { expect, test } from "bun:test";
import { envOf, main } from "../pith.ts";
import { run, scratch } from "../scratch.ts";

async function loaded(...argv: string[]): Promise<string[]> {
  using dir = scratch();
  dir.write({
    "spy.ts": 'process.on("exit", () => require("node:fs").writeFileSync(process.env.SPY_FILE, Object.keys(require.cache).join("\\n")));',
    "work/.keep": "",
    "tmp/.keep": "",
  });
  const ended = await run([process.execPath, "--preload", dir.at("spy.ts"), main, ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir, { SPY_FILE: dir.at("modules") }),
  });
  expect(ended).toMatchObject({ code: 0 });
  const names = (await Bun.file(dir.at("modules")).text()).split("\n");
  return names.filter((name) => name.includes("/packages/") || name.includes("/node_modules/"));
}
const those = (names: string[], pattern: RegExp) => names.filter((name) => pattern.test(name));

test("--version loads the door and nothing else", async () => {
  expect((await loaded("--version")).map((name) => name.replace(/^.*\/packages\//, "")).sort()).toEqual(["cli/src/guard.ts", "cli/src/main.ts"]);
});

test("--help loads the table of options and no package", async () => {
  expect(those(await loaded("--help"), /packages\/(?!cli)|node_modules|command\//)).toEqual([]);
});

test("a prompt loads no other face, view, help page, command, or YAML", async () => {
  const names = await loaded("-p", "hi", "--model", "faux/echo");
  expect(those(names, /launch\.ts/)).toHaveLength(1);
  expect(those(names, /mode\/line|cli\/src\/view|theme|\/help|command\/(tool|config)|node_modules\/yaml|packages\/tui|prompt\/attach|wire\//)).toEqual([]);
});
