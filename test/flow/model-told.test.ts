// What the model was told stays true: over a resume, another place, another day, a refusal, a kill.
import { expect, test } from "bun:test";
import { ask, model } from "../model.ts";
import { pith } from "../pith.ts";
import { scratch } from "../scratch.ts";

test("after a resume /todo shows closed tasks once, and import and clear replace the whole list", async () => {
  using dir = scratch();
  const todo = (ops: object[]) => ({ tool: "todo", args: { ops } });
  using told = model(
    {
      calls: [
        todo([
          { op: "init", list: [{ phase: "P", items: ["a", "b", "c"] }] },
          { op: "done", task: "a" },
        ]),
        todo([
          { op: "drop", task: "b" },
          { op: "done", task: "c" },
        ]),
      ],
    },
    { text: "done" },
  );
  expect((await ask(dir, told, "go")).code).toBe(0);
  const type = async (command: string) =>
    (await pith(dir, ["-p", "-c", ...told.argv, command], { env: told.env })).out.trim();
  const whole = "# P\n- [x] a\n- [-] b\n- [x] c";
  expect(await type("/todo")).toBe(whole);
  expect(await type("/todo add d")).toContain("- [/] d");
  expect((await type("/todo")).match(/- \[/g)).toHaveLength(4);
  await type("/todo export list.md");
  expect((await type("/todo import list.md")).match(/- \[/g)).toHaveLength(4);
  expect((await type("/todo")).match(/- \[/g)).toHaveLength(4);
  expect(await type("/todo rm a")).not.toContain("[x] a");
  expect(await type("/todo")).not.toContain("[x] a");
  dir.write({ "work/new.md": "- [ ] only\n" });
  expect(await type("/todo import new.md")).toBe("# Todos\n- [/] only");
  expect(await type("/todo")).toBe("# Todos\n- [/] only");
  await type("/todo done only");
  await type("/todo clear");
  expect(await type("/todo")).toBe("The todo list is empty.");
});
