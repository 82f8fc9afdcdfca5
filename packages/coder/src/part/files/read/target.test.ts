import { expect, test } from "bun:test";
import { openReading } from "../../../test/read.ts";
import { pathsOf } from "../../../test/run.ts";

const { cwd, at, put, reader, run } = openReading("read-target");

test("a real file whose name looks like a selector wins", async () => {
  put("many", "x\n".repeat(20));
  put("odd:10-12", "odd\n");
  expect((await run("odd:10-12")).text).toBe("[odd:10-12]\n1:odd");
  put("a:b", "colon\n");
  expect((await run("a:b")).text).toBe("[a:b]\n1:colon");
  expect(await pathsOf(reader, { path: "odd:10-12" })).toEqual([at("odd:10-12")]);
  expect(await pathsOf(reader, { path: "many:10-12" })).toEqual([at("many")]);
  put("session/0.bash.log", "x");
  expect(await pathsOf(reader, { path: "artifact://0" })).toEqual([at("session/0.bash.log")]);
});

test("a selector that means nothing is explained", async () => {
  expect(await run("many:0")).toMatchObject({
    failed: true,
    text: "Lines are counted from 1; there is no line 0",
  });
  expect(await run("many:5+0")).toMatchObject({
    failed: true,
    text: ":5+0 would be no line at all",
  });
  expect(await run("many:5-4")).toMatchObject({
    failed: true,
    text: ":5-4 ends before it begins",
  });
});

test("paths may be absolute, in the home, mentioned with @, or a file URL", async () => {
  put("home/note", "hi\n");
  for (const path of [at("home/note"), "~/note", "@home/note", `file://${cwd}/home/note`])
    expect((await run(path)).text).toEndWith("1:hi");
  put("@scope/x", "at\n");
  expect((await run("./@scope/x")).text).toEndWith("1:at");
});

test("a name may be spelled as a screen or a shell spells it", async () => {
  put("Shot 9.41\u202fAM.txt", "shot\n");
  expect((await run("Shot 9.41 AM.txt")).text).toEndWith("1:shot");
  put("It\u2019s.txt", "curly\n");
  expect((await run("It's.txt")).text).toEndWith("1:curly");
  put("two words.txt", "space\n");
  expect((await run("two\\ words.txt")).text).toEndWith("1:space");
  put("cafe\u0301.txt", "accent\n");
  expect((await run("caf\u00e9.txt")).text).toEndWith("1:accent");
  put("line\nbreak.txt", "odd\n");
  expect((await run("line\nbreak.txt")).text).toEndWith("1:odd");
});

test("a file that is only called a database is a file", async () => {
  put("notes.db", "plain\n");
  expect((await run("notes.db")).text).toBe("[notes.db]\n1:plain");
});
