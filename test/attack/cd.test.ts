// A mode that asks before something runs outside of the project asks however that is said.
import { expect, test } from "bun:test";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

test("mode auto runs nothing in a directory outside, whether by cwd or by cd", async () => {
  using dir = scratch();
  dir.write({ "out/f": "said outside\n", "work/d/f": "said inside\n" });
  const commands = [
    { command: "cat f", cwd: dir.at("out") },
    { command: `cd '${dir.at("out")}' && cat f` },
    { command: `cd ../out && cat f` },
    { command: "cd d && cat f" },
  ];
  const turns = commands.map((input) => ({ calls: [{ tool: "bash", input }] }));
  const argv = ["-p", "go", "--mode", "json", "--approval", "auto", ...scripted(dir, ...turns, { text: "done" })];
  const { out } = await pith(dir, argv);
  const ends = out.split("\n").filter((line) => line.includes('"tool_execution_end"'));
  // By its name below `/tmp` it is a folder of the session, in which there is none of it.
  expect(ends.map((line) => /said \w+|outside the project|there is no directory/.exec(line)?.[0])).toEqual([
    dir.path.startsWith("/tmp/") ? "there is no directory" : "outside the project",
    "outside the project",
    "outside the project",
    "said inside",
  ]);
});
