// Files outside of the project are not read before the call is judged: no answer shows their content or existence.
import { expect, test } from "bun:test";
import { readFileSync, symlinkSync } from "node:fs";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

const secret = "TOPSECRET=alpha\nsecond line\n";

/** Every way in which a call that cannot work might tell why. `there` and `gone` are the same call on two paths. */
const calls = (path: string): { tool: string; input: Record<string, unknown> }[] => [
  { tool: "read", input: { path } },
  { tool: "read", input: { path: `${path}:90-99` } },
  { tool: "read", input: { path: `${path}/x` } },
  { tool: "write", input: { path: `${path}/x`, content: "x" } },
  { tool: "write", input: { path: `${path}.db:t`, content: "{}" } },
  { tool: "write", input: { path: `${path}.zip:m`, content: "x" } },
  { tool: "edit", input: { input: `[${path}#0000]\nreplace 1..2:\n+x\n` } },
  { tool: "edit", input: { path, edits: [{ oldText: "TOPSECRET=alphb\nsecond", newText: "x" }] } },
  { tool: "edit", input: { path, diff: "@@ -1 +1 @@\n-nope\n+x\n" } },
  {
    tool: "bash",
    input: {
      command: `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: ${path}\n@@\n-nope\n+x\n*** End Patch\nEOF`,
    },
  },
  { tool: "search", input: { pattern: "TOP", paths: [path] } },
  { tool: "find", input: { paths: [path] } },
  { tool: "ast_grep", input: { pat: "x()", paths: [path] } },
  { tool: "bash", input: { command: "true", cwd: path } },
];

async function answers(approval: string, path: (dir: ReturnType<typeof scratch>) => string) {
  using dir = scratch();
  dir.write({ "out/secret": secret });
  symlinkSync(dir.at("out/secret"), dir.at("out/link"));
  const model = scripted(dir, { calls: calls(path(dir)) }, { text: "." });
  const { out } = await pith(dir, ["-p", "go", "--mode", "json", "--sandbox", "off", "--approval", approval, ...model]);
  const said = out.split("\n").flatMap((line) => {
    const event = line === "" ? {} : JSON.parse(line);
    return event.type === "tool_execution_end"
      ? [(event.result.content[0].text as string).replaceAll(dir.path, "")]
      : [];
  });
  expect(readFileSync(dir.at("out/secret"), "utf8")).toBe(secret);
  return said;
}

for (const mode of ["plan", "ask", "write", "auto"])
  test(`in mode ${mode} no call tells what stands outside, nor whether anything does`, async () => {
    const there = await answers(mode, (dir) => dir.at("out/secret"));
    const gone = await answers(mode, (dir) => dir.at("out/absent"));
    expect(there).toHaveLength(calls("").length);
    for (const text of there) {
      expect(text).toContain("Not run");
      expect(text).not.toContain("TOPSECRET");
    }
    expect(there.map((text) => text.replaceAll("secret", "NAME"))).toEqual(
      gone.map((text) => text.replaceAll("absent", "NAME")),
    );
  });

test("a person is asked before an edit that cannot work says why", async () => {
  using dir = scratch();
  dir.write({ "out/secret": secret });
  const edit = { path: dir.at("out/secret"), edits: [{ oldText: "TOPSECRET=alphb", newText: "x" }] };
  // In the sandbox a path of the machine's /tmp is one of the session's own.
  const desk = terminal(dir, [
    "--sandbox",
    "off",
    ...scripted(dir, { calls: [{ tool: "edit", input: edit }] }, { text: "Done." }),
  ]);
  await desk.waits();
  desk.type("go\n");
  await desk.asks();
  expect(desk.screen()).not.toContain('TOPSECRET=alpha"');
  await desk.answers("n");
  await desk.sees("Done.");
  expect(desk.screen()).not.toContain("nearest line");
  desk.type("\u0004");
  await desk.child.exited;
});
