// Edits through the real program: by hand, by patch, and by a model.
import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "../need.ts";
import { envOf, main, pith, scripted } from "../pith.ts";
import { run, scratch } from "../scratch.ts";

const data = join(root, "test", "data", "patch");
const scenarios = readdirSync(data).filter((name) => /^\d{3}-/.test(name));

/** The files below a folder, with their contents. */
function files(dir: string): Record<string, string> {
  if (!existsSync(dir)) return {};
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter(
    (name) => statSync(join(dir, name)).isFile() && !name.endsWith(".keep"),
  );
  return Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(join(dir, name), "utf8")]));
}

describe("pith apply-patch", () => {
  test.each(scenarios)("%s", async (name) => {
    using dir = scratch();
    dir.write({ "work/.keep": "" });
    if (existsSync(join(data, name, "before"))) cpSync(join(data, name, "before"), dir.at("work"), { recursive: true });
    const patch = readFileSync(join(data, name, "patch.txt"), "utf8");
    const says = readFileSync(join(data, name, "says.txt"), "utf8");
    // Half of them as an argument, half on standard input.
    const done =
      Number(name.slice(0, 3)) % 2
        ? await pith(dir, ["apply-patch", patch])
        : await pith(dir, ["apply-patch"], { input: patch });
    const fails = says.startsWith("exit 1\n");
    expect(`${fails ? "exit 1\n" : ""}${done.out}${done.err}`).toBe(says);
    expect(done.code).toBe(fails ? 1 : 0);
    expect(files(dir.at("work"))).toEqual(files(join(data, name, "after")));
  });

  test("a patch that is not UTF-8 is refused, and no replaced character reaches a file", async () => {
    using dir = scratch();
    const input = Buffer.concat([
      Buffer.from("*** Begin Patch\n*** Add File: a\n+"),
      Buffer.from([0xff]),
      Buffer.from("\n*** End Patch\n"),
    ]);
    expect(await pith(dir, ["apply-patch"], { input })).toMatchObject({
      code: 1,
      err: "pith: the patch is not valid UTF-8; nothing was applied\n",
    });
    expect(existsSync(dir.at("work", "a"))).toBe(false);
  });

  test("called wrongly it exits with 2 and says how to call it", async () => {
    using dir = scratch();
    for (const argv of [["apply-patch", "a", "b"], ["apply-patch"], ["apply-patch", "--alll", "x"]])
      expect(await pith(dir, argv)).toMatchObject({ code: 2, out: "" });
  });

  test("--all makes all hunks or none, --keep-end adds no newline", async () => {
    using dir = scratch();
    dir.write({ "work/a": "a" });
    const bad = "*** Begin Patch\n*** Add File: new\n+x\n*** Delete File: none\n*** End Patch";
    expect(await pith(dir, ["apply-patch", "--all", bad])).toMatchObject({ code: 1 });
    expect(existsSync(dir.at("work", "new"))).toBe(false);
    await pith(dir, ["apply-patch", "--keep-end", "*** Begin Patch\n*** Update File: a\n-a\n+b\n*** End Patch"]);
    expect(readFileSync(dir.at("work", "a"), "utf8")).toBe("b");
  });

  test("a path outside the working directory is refused unless it is allowed, also through a link", async () => {
    using dir = scratch();
    dir.write({ "work/.keep": "", "other/.keep": "" });
    symlinkSync("../other", dir.at("work", "way"));
    const patch = "*** Begin Patch\n*** Add File: way/x\n+x\n*** End Patch";
    expect(await pith(dir, ["apply-patch", patch])).toMatchObject({
      code: 1,
      err: expect.stringContaining("is outside of"),
    });
    expect(existsSync(dir.at("other", "x"))).toBe(false);
    expect(await pith(dir, ["apply-patch", "--anywhere", patch])).toMatchObject({ code: 0 });
    expect(existsSync(dir.at("other", "x"))).toBe(true);
  });
});

test("a tag that one process printed is good in the next, until the file changes", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\ntwo\n" });
  const shown = (await pith(dir, ["tool", "read", '{"path":"a.txt"}'])).out;
  const header = /^\[a\.txt#[0-9A-F]{4}\]$/m.exec(shown)?.[0] ?? "";
  const edit = (header: string, ...rows: string[]) =>
    pith(dir, ["tool", "edit", JSON.stringify({ input: [header, ...rows].join("\n") })]);
  const first = await edit(header, "replace 2..2:", "+TWO");
  expect(first.code).toBe(0);
  expect(readFileSync(dir.at("work", "a.txt"), "utf8")).toBe("one\nTWO\n");
  const next = /^\[a\.txt#[0-9A-F]{4}\]$/m.exec(first.out)?.[0] ?? "";
  expect(await edit(next, "insert tail:", "+three")).toMatchObject({ code: 0 });
  expect(await edit(header, "delete 1")).toMatchObject({
    code: 1,
    out: expect.stringContaining("Nothing was changed"),
  });
  expect(readFileSync(dir.at("work", "a.txt"), "utf8")).toBe("one\nTWO\nthree\n");
});

test("a model reads and edits by line, and after a resume its old tag is carried along", async () => {
  using dir = scratch();
  const lines = Array.from({ length: 12 }, (_, i) => `line ${i + 1}\n`).join("");
  dir.write({ "work/a.txt": lines });
  const header =
    /^\[a\.txt#[0-9A-F]{4}\]$/m.exec((await pith(dir, ["tool", "read", '{"path":"a.txt"}'])).out)?.[0] ?? "";
  const edit = (...rows: string[]) => ({ calls: [{ tool: "edit", input: { input: [header, ...rows].join("\n") } }] });
  const read = { calls: [{ tool: "read", input: { path: "a.txt" } }] };
  const model = scripted(dir, read, edit("insert head:", "+new"), { text: "one" }, edit("replace 12..12:", "+twelve"), {
    text: "two",
  });
  expect(await pith(dir, ["-p", "--yolo", ...model, "go"])).toMatchObject({ code: 0, out: "one\n" });
  expect(await pith(dir, ["-p", "--yolo", "--continue", ...model, "go on"])).toMatchObject({ code: 0, out: "two\n" });
  expect(readFileSync(dir.at("work", "a.txt"), "utf8")).toBe(`new\n${lines.replace("line 12", "twelve")}`);
});

test("PITH_EDIT_VARIANT and edit.mode choose the dialect", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n" });
  const patch = JSON.stringify({ input: "*** Begin Patch\n*** Update File: a.txt\n-a\n+b\n*** End Patch" });
  const read = ["tool", "read", '{"path":"a.txt"}'];
  const env = { PITH_EDIT_VARIANT: "apply_patch" };
  expect((await pith(dir, read)).out).toMatch(/^\[a\.txt#[0-9A-F]{4}\]\n1:a\n/);
  expect((await pith(dir, read, { env })).out).toStartWith("[a.txt]\n1|a\n");
  expect(await pith(dir, ["tool", "edit", patch], { env })).toMatchObject({
    code: 0,
    out: expect.stringContaining("M a.txt"),
  });
  dir.write({ "home/.pith/config.yml": "edit.mode: apply_patch\n", "work/a.txt": "a\n" });
  expect((await pith(dir, read)).out).toStartWith("[a.txt]\n1|a\n");
});

test("a model may not edit outside the project without being asked, whatever the dialect", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "secret.txt": "s\n" });
  const patch = {
    calls: [
      { tool: "edit", input: { input: "*** Begin Patch\n*** Update File: ../secret.txt\n-s\n+x\n*** End Patch" } },
    ],
  };
  const done = await pith(dir, ["-p", "--approval", "write", ...scripted(dir, patch, { text: "done" }), "go"], {
    env: { PITH_EDIT_VARIANT: "apply_patch" },
  });
  expect(done.err).toContain("outside");
  expect(readFileSync(dir.at("secret.txt"), "utf8")).toBe("s\n");
});

test("a disk that takes no more in the middle of a patch leaves every file whole", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n", "work/b.txt": "b\n", "tmp/.keep": "", "home/.keep": "" });
  const sections = `*** Update File: a.txt\n-a\n+A\n*** Update File: b.txt\n-b\n+${"x".repeat(100_000)}`;
  const patch = `*** Begin Patch\n${sections}\n*** End Patch`;
  // No file may become longer than 32 KiB: a write that passes it is cut, and the next one fails.
  const limited = `trap '' XFSZ; ulimit -f 32; exec "$0" "$@"`;
  const apply = (input: string, ...options: string[]) =>
    run(["bash", "-c", limited, process.execPath, main, "apply-patch", ...options], {
      cwd: dir.at("work"),
      env: envOf(dir),
      input,
    });
  expect(await apply(patch)).toMatchObject({
    code: 1,
    err: expect.stringContaining("b.txt cannot be written: the disk is full"),
  });
  expect(files(dir.at("work"))).toEqual({ "a.txt": "A\n", "b.txt": "b\n" });
  expect((await apply(patch.replace("-a\n+A", "-A\n+AA"), "--all")).code).toBe(1);
  expect(files(dir.at("work"))).toEqual({ "a.txt": "A\n", "b.txt": "b\n" });
});

test("a mode and a link survive an edit of the model", async () => {
  using dir = scratch();
  dir.write({ "work/real.sh": "#!/bin/sh\necho 1\n" });
  chmodSync(dir.at("work", "real.sh"), 0o750);
  symlinkSync("real.sh", dir.at("work", "link.sh"));
  expect(
    await pith(dir, ["tool", "edit", '{"path":"link.sh","edits":[{"oldText":"echo 1","newText":"echo 2"}]}']),
  ).toMatchObject({ code: 0 });
  expect([statSync(dir.at("work", "real.sh")).mode & 0o777, readFileSync(dir.at("work", "real.sh"), "utf8")]).toEqual([
    0o750,
    "#!/bin/sh\necho 2\n",
  ]);
});

test("programs see what an arriving edit would change, and the file does not change before the call", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "" });
  const rows = Array.from({ length: 30 }, (_, i) => `+line ${i}`);
  const turn = {
    calls: [
      {
        tool: "edit",
        input: {
          input: ["*** Begin Patch", "*** Add File: a", ...rows, "*** Add File: b", ...rows, "*** End Patch"].join(
            "\n",
          ),
        },
      },
    ],
  };
  const script = scripted(dir, { ...turn, chunkSize: 16, chunkDelayMs: 15 }, { text: "done" });
  const done = await pith(dir, ["-p", "--yolo", "--mode", "json", ...script, "go"], {
    env: { PITH_EDIT_VARIANT: "apply_patch" },
  });
  const events = done.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; files?: { path: string; added: number }[] });
  const kinds = events.map(({ type }) => type);
  expect(kinds.indexOf("edit_preview")).toBeGreaterThan(0);
  expect(kinds.lastIndexOf("edit_preview")).toBeLessThan(kinds.indexOf("tool_execution_start"));
  expect(events[kinds.indexOf("edit_preview")]?.files).toMatchObject([{ path: "a", added: 30 }]);
});
