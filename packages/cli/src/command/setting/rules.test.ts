import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { runIn } from "../../test/command.ts";

const files = {
  "work/.pith/rules/mine.md": '---\ncondition: forbidden\nglobs: ["*.ts"]\n---\nNo.\n',
  "work/.pith/rules/bad.md": "---\ncondition: a(?=b)\n---\nNo.\n",
  "work/a.ts": "one\ntwo forbidden\n",
  "work/b.ts": "fine\n",
};

test("rules are listed with who brings them, and a broken one with its file and line", async () => {
  using dir = scratch();
  dir.write(files);
  const { out, err, code } = await runIn(dir.path, ["rules", "list"]);
  expect(code).toBe(0);
  expect(out).toMatch(/mine +active +when broken +pith +forbidden/);
  expect(out).toMatch(/left-out-code +active +when broken +builtin/);
  expect(err).toMatch(/bad\.md:2: condition "a\(\?=b\)": it looks ahead/);
  const json = (await runIn(dir.path, ["rules", "--json"])).out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(json.find(({ name }) => name === "bad")).toMatchObject({ told: "by name", looks: [] });
});

test("a rule is tried on a file, and the exit code tells whether it finds something", async () => {
  using dir = scratch();
  dir.write(files);
  expect(await runIn(dir.path, ["rules", "test", "mine", "a.ts"])).toMatchObject({
    code: 0,
    out: "a.ts:2:5: two forbidden\n",
  });
  expect(await runIn(dir.path, ["rules", "test", "mine", "b.ts"])).toMatchObject({ code: 1, out: "" });
  expect((await runIn(dir.path, ["rules", "test", "mien", "a.ts"])).err).toContain("did you mean mine");
  expect((await runIn(dir.path, ["rules", "test", "mine", "gone.ts"])).code).toBe(2);
  expect((await runIn(dir.path, ["rules", "test", "bad", "a.ts"])).code).toBe(2);
  expect((await runIn(dir.path, ["rules", "frob"])).code).toBe(2);
});

test("a rule that is not for a file, and code that nobody can read as that file's, are told", async () => {
  using dir = scratch();
  dir.write({
    "work/.pith/rules/shape.md": '---\nastCondition: ["foo(", "bar($X)"]\nscope: tool:edit(src/*.ts)\n---\nNo.\n',
    "work/a.ts": "bar(1);\n",
  });
  const { out, err, code } = await runIn(dir.path, ["rules", "test", "shape", "a.ts"]);
  expect(out).toBe("a.ts:1:1: bar(1);\n");
  expect(err).toContain("shape is not for this file: it is for src/*.ts");
  expect(err).toContain("`foo(` does not parse as typescript");
  expect(code).toBe(0);
});
