// Arguments as models write them: understood where they can mean one thing only, else answered with the right form.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { ask, model } from "../model.ts";
import { scratch } from "../scratch.ts";

/** The results of the calls of one reply, as the model gets them. */
async function answers(
  calls: { tool: string; args: unknown }[],
  files: Record<string, string> = {},
  ...argv: string[]
): Promise<{ results: string[]; calls: string[]; read(name: string): string | undefined }> {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\ntwo\nthree\nfour\n", "work/src/b.ts": "const b = 1;\n" });
  dir.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`work/${name}`, text])));
  using told = model({ calls }, { text: "done" });
  const ended = await ask(dir, told, ...argv, "go");
  expect({ ...ended, err: "" }).toMatchObject({ code: 0, out: "done\n" });
  const kept = new Map(
    ["a.txt", "c.txt", "n.txt"].flatMap((name) =>
      existsSync(dir.at("work", name)) ? [[name, readFileSync(dir.at("work", name), "utf8")]] : [],
    ),
  );
  const last = told.asked.findLast(({ results }) => results.length > 0);
  return { results: last?.results ?? [], calls: last?.calls ?? [], read: (name) => kept.get(name) };
}

test("other words for the arguments of a tool are understood", async () => {
  const got = await answers([
    { tool: "read", args: { file_path: "a.txt", offset: 2, limit: "2" } },
    { tool: "bash", args: { cmd: "echo ran", description: "says that it ran", timeout: "20" } },
    { tool: "search", args: { pattern: "three", path: "a.txt", "-i": true } },
    { tool: "find", args: { pattern: "*.ts", path: "src" } },
    { tool: "find", args: { paths: '["src/*.ts"]' } },
    { tool: "write", args: { file_path: "c.txt", content: "c\n" } },
    { tool: "job", args: { list: "true" } },
  ]);
  expect(got.results).toEqual([
    expect.stringContaining("3:three"),
    "ran",
    expect.stringContaining("*3:three"),
    expect.stringContaining("b.ts"),
    expect.stringContaining("b.ts"),
    expect.any(String),
    "No background jobs.",
  ]);
  expect(got.read("c.txt")).toBe("c\n");
});

test("words that choose files are paths, and those that only form the answer are passed over with a word", async () => {
  const files = { "src/c.py": "const b = 2\n", "lib/d.ts": "const b = 3;\n" };
  const { results } = await answers(
    [
      { tool: "search", args: { pattern: "const b", path: "src", glob: "*.ts", "-n": true } },
      { tool: "search", args: { pattern: "const b", type: "python", multiline: false } },
      {
        tool: "search",
        args: { pattern: "const b", paths: '["src","lib"]', include: "*.ts", output_mode: "content", "-C": 3 },
      },
      { tool: "read", args: { path: "a.txt", view_range: "[2, 3]" } },
      { tool: "read", args: { arguments: '{"path":"a.txt:4"}' } },
      { tool: "read", args: { input: { path: "a.txt:4" } } },
      { tool: "read", args: JSON.stringify(JSON.stringify({ path: "a.txt:4" })) },
      { tool: "ast_grep", args: { pattern: "const b = $A", lang: "typescript" } },
      {
        tool: "todo",
        args: {
          todos: [
            { content: "a", status: "completed" },
            { content: "b", status: "in_progress" },
          ],
        },
      },
      { tool: "job", args: { cancel: ["bash-7"] } },
      { tool: "functions.read", args: { path: "a.txt" } },
      { tool: "str_replace_based_edit_tool", args: { command: "create", path: "n.txt", file_text: "x" } },
      { tool: "delete_file", args: { path: "a.txt" } },
    ],
    files,
  );
  const [inSrc = "", python = "", both = "", ...others] = results;
  expect([inSrc.includes("src/b.ts"), inSrc.includes("c.py"), inSrc.includes("d.ts")]).toEqual([true, false, false]);
  expect([python.includes("c.py"), python.includes("b.ts")]).toEqual([true, false]);
  expect([both.includes("b.ts"), both.includes("d.ts"), both.includes("c.py")]).toEqual([true, true, false]);
  expect(both).toContain("-C, output_mode ignored");
  expect(others).toEqual([
    expect.stringContaining("3:three"),
    expect.stringContaining("4:four"),
    expect.stringContaining("4:four"),
    expect.stringContaining("4:four"),
    expect.stringMatching(/const b = 1[\s\S]*typescript was ignored/),
    expect.stringMatching(/\[taken for a whole new list; later send/),
    "No such job: bash-7",
    expect.stringMatching(/one[\s\S]*\[functions\.read is read here\]$/),
    expect.stringMatching(/wrote 1 bytes to n\.txt\n\n\[str_replace_based_edit_tool is write here\]$/),
    expect.stringContaining("Here it is bash"),
  ]);
});

test("an edit by a tool or in a form of another agent is made", async () => {
  const rows = ["@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"];
  const diff = ["--- a/a.txt", "+++ b/a.txt", ...rows].join("\n");
  const blocks = "<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n";
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch";
  const foreign = [
    { tool: "apply_patch", args: { input: patch } },
    { tool: "replace_in_file", args: { path: "a.txt", diff: blocks } },
    { tool: "replace", args: { file_path: "a.txt", old_string: "two", new_string: "2", instruction: "say 2" } },
    { tool: "str_replace_editor", args: { command: "str_replace", path: "a.txt", old_str: "two", new_str: "2" } },
    { tool: "edit", args: { input: diff } },
    { tool: "edit", args: { input: `diff --git a/a.txt b/a.txt\nindex 1..2 100644\n${diff}\n` } },
    { tool: "edit", args: { input: `\`\`\`diff\n${diff}\n\`\`\`` } },
    { tool: "edit", args: { input: `a.txt\n\`\`\`txt\n${blocks}\`\`\`\n` } },
    { tool: "edit", args: { input: `\`\`\`\n${patch}\n\`\`\`` } },
  ];
  for (const mode of ["hashline", "replace"]) {
    const config = { ".pith/config.yml": `edit: { mode: ${mode} }\n` };
    for (const one of foreign) {
      const got = await answers([one], config);
      expect([mode, one, got.read("a.txt"), got.results]).toEqual([
        mode,
        one,
        "one\n2\nthree\nfour\n",
        expect.anything(),
      ]);
      if (one.tool !== "edit") expect(got.results[0]).toContain(`${one.tool} is edit here`);
    }
  }
}, 120_000);

test("an edit in the words of another agent is made, in whichever dialect the model was told of", async () => {
  for (const mode of ["hashline", "replace"]) {
    const got = await answers(
      [
        { tool: "edit", args: { file_path: "a.txt", old_string: "two", new_string: "2" } },
        { tool: "edit", args: { path: "a.txt", edits: JSON.stringify([{ old_str: "three", new_str: "3" }]) } },
      ],
      { ".pith/config.yml": `edit: { mode: ${mode} }\n` },
    );
    expect([mode, got.read("a.txt")]).toEqual([mode, "one\n2\n3\nfour\n"]);
  }
});

test("a call in the names of another agent runs as ours, with a word about the name", async () => {
  const { results } = await answers([
    { tool: "Bash", args: { command: "echo ran", description: "Says that it ran" } },
    { tool: "exec_command", args: { cmd: "echo ran", yield_time_ms: 1000, workdir: "src" } },
    { tool: "shell", args: { command: ["bash", "-lc", "echo ran | cat"] } },
    { tool: "shell", args: { command: ["echo", "it's", "ran"] } },
    { tool: "Grep", args: { pattern: "const", path: "." } },
    { tool: "read_file", args: { file_path: "a.txt", offset: 3 } },
    { tool: "str_replace_editor", args: { command: "view", path: "a.txt", view_range: [3, 4] } },
    { tool: "read_many_files", args: { paths: ["a.txt", "src/b.ts"] } },
    { tool: "view_image", args: { path: "a.txt" } },
    { tool: "update_plan", args: { explanation: "so", plan: [{ step: "look", status: "completed" }] } },
    {
      tool: "AskUserQuestion",
      args: {
        questions: [
          {
            question: "Which?",
            header: "Kind",
            multiSelect: false,
            options: [
              { label: "a", description: "one" },
              { label: "b", description: "two" },
            ],
          },
        ],
      },
    },
    { tool: "WebFetch", args: { url: "https://example.org/it's", prompt: "what" } },
    { tool: "web_search", args: { query: "what" } },
    { tool: "serach", args: {} },
    { tool: "teleport", args: {} },
  ]);
  expect(results).toEqual([
    "ran\n\n[Bash is bash here]",
    expect.stringMatching(/^ran\n\n\[[\s\S]*exec_command is bash here/),
    expect.stringMatching(/^ran\n\n\[[\s\S]*shell is bash here/),
    expect.stringMatching(/^it's ran\n\n\[[\s\S]*shell is bash here/),
    expect.stringMatching(/b\.ts[\s\S]*\[Grep is search here\]$/),
    expect.stringMatching(/3:three[\s\S]*\[read_file is read here\]$/),
    expect.stringMatching(/3:three[\s\S]*\[str_replace_editor is read here\]$/),
    expect.stringMatching(/1:one[\s\S]*1:const b = 1;[\s\S]*\[read_many_files is read here\]$/),
    expect.stringMatching(/1:one[\s\S]*\[view_image is read here\]$/),
    expect.stringMatching(/look[\s\S]*update_plan is todo here; taken for a whole new list/),
    expect.stringContaining('There is no tool "AskUserQuestion"'),
    expect.stringContaining(`bash gets a page: {"command":"curl -sSL 'https://example.org/it'\\\\''s'"}`),
    expect.stringContaining("There is no search of the web"),
    expect.stringContaining("Here it is search: it takes pattern, paths"),
    expect.stringContaining("Available: read, write, edit, bash"),
  ]);
});

test("a time limit in milliseconds is told apart from one in seconds", async () => {
  const { results } = await answers([
    { tool: "bash", args: { command: "echo a", timeout: 120_000 } },
    { tool: "bash", args: { command: "echo b", timeout: 120 } },
    { tool: "bash", args: { command: "sleep 9; echo c", timeout_ms: 1500 } },
    { tool: "bash", args: { command: "sleep 9; echo d", timeoutMs: "1100" } },
  ]);
  expect(results).toEqual([
    "a\n\n[timeout: 120000 was taken for milliseconds; it is given in seconds, here 120]",
    "b",
    expect.stringContaining("timed out after 1.5 seconds"),
    expect.stringContaining("timed out after 1.1 seconds"),
  ]);
});

test("an argument that there is not is named, with the one that was probably meant", async () => {
  const { results, read } = await answers([
    { tool: "write", args: { path: "n.txt", content: "x", overwrite: true } },
    { tool: "search", args: { pattern: "x", skp: 3 } },
    { tool: "todo", args: { ops: [{ op: "view", colour: "red" }] } },
    { tool: "read", args: { path: "a.txt", offset: "the end" } },
  ]);
  expect(results[0]).toContain("- overwrite: no such argument; known: path, content");
  expect(results[1]).toContain("- skp: no such argument (did you mean skip?)");
  expect(results[2]).toContain("- ops.0.colour: no such argument");
  expect(results[3]).toContain('read {"path":"src/a.ts:40-80"}');
  expect(read("n.txt")).toBeUndefined();
});

test("broken JSON that was read goes back as what ran; what would be a guess never writes", async () => {
  const got = await answers([
    { tool: "read", args: '{"path": "a.txt:2-2",' },
    { tool: "write", args: '{"path": "c.txt", "content": "line\nand {more,}",}' },
    { tool: "write", args: '{"path": "n.txt", "content": "half' },
  ]);
  expect(got.calls.slice(0, 2)).toEqual(['{"path":"a.txt:2-2"}', '{"path":"c.txt","content":"line\\nand {more,}"}']);
  expect(got.results[0]).toContain("2:two");
  expect(got.read("c.txt")).toBe("line\nand {more,}");
  expect(got.results[2]).toContain("nothing was run");
  expect(got.read("n.txt")).toBeUndefined();
});

test("arguments nested deeper than anybody means refuse that call only, and the conversation goes on", async () => {
  const deep = (open: string, close: string) => `{"path":"a.txt","x":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
  const { results } = await answers([
    { tool: "read", args: deep("[", "]") },
    { tool: "read", args: deep('{"a":', "}") },
    { tool: "read", args: { path: "a.txt" } },
  ]);
  const refused = expect.stringMatching(/^The arguments of read are nested more than 200 deep; nothing was run\./);
  expect(results).toEqual([refused, refused, expect.stringContaining("1:one")]);
});
