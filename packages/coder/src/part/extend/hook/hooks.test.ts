// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import type { Event } from "@pith/agent";
import { type Scratch, scratch, until } from "@pith/kit/test";
import type { Coder } from "../../../hall/coder.ts";
import { said } from "../../../test/command.ts";
import { coderIn, noticesOf } from "../../../test/open.ts";

type Talk = Coder & { events: Event[] };

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });

async function talk(dir: Scratch, turns: readonly object[], more: Parameters<typeof coderIn>[2] = {}): Promise<Talk> {
  const coder = await coderIn(dir, [...turns, { text: "Done." }], { asks: false, ...more });
  await coder.send({ text: "go" });
  return coder;
}

const results = (coder: Coder): { text: string; isError: boolean; all: string }[] =>
  coder.path().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "toolResult") return [];
    const texts = entry.message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return [{ text: texts.at(-1) ?? "", isError: entry.message.isError, all: texts.join("\n") }];
  });

const notes = (coder: Coder): string[] =>
  coder
    .path()
    .flatMap((entry) =>
      entry.type === "custom_message" && entry.customType === "pith.note" ? [String(entry.content)] : [],
    );

const claude = (dir: Scratch, hooks: object) => dir.write({ ".claude/settings.json": JSON.stringify({ hooks }) });
const guard = (dir: Scratch, hook: object, matcher = "Bash") =>
  claude(dir, { PreToolUse: [{ matcher, hooks: [{ type: "command", ...hook }] }] });

/** Writes down what a hook reads, one line per time. */
const keep = (dir: Scratch, then = "") =>
  `printf "%s\\n" "$(cat)" >> ${dir.at("heard")}${then === "" ? "" : `; ${then}`}`;
const heard = (dir: Scratch): Record<string, unknown>[] =>
  (existsSync(dir.at("heard")) ? readFileSync(dir.at("heard"), "utf8") : "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("a guard of Claude Code refuses with its words, and lets through what it does not mind", async () => {
  using dir = scratch();
  guard(dir, {
    command: keep(dir, `grep -q 'touch evil' ${dir.at("heard")} && { echo 'not evil' >&2; exit 2; }; exit 0`),
  });
  await using coder = closing(await talk(dir, [bash("echo fine"), bash("touch evil")]));
  const [fine, evil] = results(coder);
  expect(fine).toMatchObject({ isError: false, text: expect.stringContaining("fine") });
  expect(evil).toMatchObject({ isError: true, text: expect.stringContaining("not evil") });
  expect(existsSync(dir.at("work/evil"))).toBe(false);
  expect(heard(dir)[0]).toMatchObject({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "echo fine" },
    cwd: dir.at("work"),
    permission_mode: "bypassPermissions",
    session_id: expect.any(String),
    transcript_path: expect.stringContaining(".jsonl"),
  });
});

/** Ways in which a guard does not answer; each refuses the call and says which guard it was. */
const faults: [what: string, hook: object, why: string][] = [
  ["its file is not there", { command: "./no-such-guard" }, "ended with 127"],
  ["its file may not be executed", { command: "./plain" }, "ended with 126"],
  ["another exit code", { command: "echo broken >&2; exit 1" }, "ended with 1: broken"],
  ["a signal", { command: "kill -9 $$" }, "SIGKILL"],
  ["a core dump", { command: "kill -SEGV $$" }, "SIGSEGV"],
  ["a hang", { command: "sleep 300", timeout: 0.3 }, "took longer than"],
  ["a hang that ignores signals", { command: "trap '' TERM; sleep 300; sleep 300", timeout: 0.3 }, "took longer than"],
  ["a hang behind it that holds the output", { command: "sleep 300 & exit 1", timeout: 5 }, "ended with 1"],
  ["a flood", { command: "yes" }, "more output"],
  ["a flood of errors", { command: "head -c 50000000 /dev/zero >&2; exit 1" }, "ended with 1"],
  ["a bomb", { command: "for i in $(seq 3000); do sleep 60 & done; wait", timeout: 3 }, ""],
  ["half JSON", { command: `echo '{"decision": "approve"'` }, "JSON"],
  ["an unknown decision", { command: `echo '{"decision":"allowed"}'` }, "decision"],
  ["a decision that is no word", { command: `echo '{"decision":["approve"]}'` }, "decision"],
  ["a decision named by a field of all objects", { command: `echo '{"decision":"constructor"}'` }, "decision"],
  ["a decision in a wrong field", { command: `echo '{"permissionDecision":"deny"}'` }, "permissionDecision"],
  [
    "an answer for another event",
    { command: `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"allow"}}'` },
    "PostToolUse",
  ],
  ["an output that is a list in a field", { command: `echo '{"hookSpecificOutput":[]}'` }, "hookSpecificOutput"],
  ["a continue that is a word", { command: `echo '{"continue":"false"}'` }, "continue"],
  [
    "a change to something that the tool does not take",
    { command: `echo '{"hookSpecificOutput":{"updatedInput":{"command":{"a":1}}}}'` },
    "does not take",
  ],
  ["an unknown type", { type: "wasm", command: "true" }, "wasm"],
  ["no command", { command: "" }, "names no command"],
  ["a timeout that is none", { command: "true", timeout: "soon" }, "timeout"],
  ["a server that is not there", { type: "http", url: "http://127.0.0.1:9/" }, "did not answer"],
  ["an address that is none", { type: "http", url: "file:///etc/passwd" }, "address"],
];

test.each(faults)(
  "a guard with %s refuses the call",
  async (_, hook, why) => {
    using dir = scratch();
    dir.write({ "work/plain": "true" });
    guard(dir, hook);
    await using coder = closing(await talk(dir, [bash("touch ran")]));
    const [refused] = results(coder);
    expect(refused?.isError).toBe(true);
    expect(refused?.text).toContain(why);
    expect(refused?.text).toContain("hooks.disabled");
    expect(existsSync(dir.at("work/ran"))).toBe(false);
  },
  60_000,
);

test("a matcher that is no regular expression, and a file that is no JSON, refuse", async () => {
  for (const text of [
    '{"hooks":{"PreToolUse":[{"matcher":"(","hooks":[{"type":"command","command":"true"}]}]}}',
    '{"hooks":{"PreToolUse":[',
  ]) {
    using dir = scratch();
    dir.write({ ".claude/settings.json": text });
    await using coder = closing(await talk(dir, [bash("touch ran")]));
    expect(results(coder)[0]?.isError).toBe(true);
    expect(existsSync(dir.at("work/ran"))).toBe(false);
  }
});

test("a guard for Edit and Write sees every tool that writes, once per path", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "const a = foo(1);\n", "work/b.ts": "const b = foo(2);\n" });
  guard(dir, { command: keep(dir, `grep -q b.ts ${dir.at("heard")} && exit 2; exit 0`) }, "Edit|Write");
  const rewrite = { calls: [{ tool: "ast_edit", input: { ops: [{ pat: "foo($A)", out: "bar($A)" }], paths: ["."] } }] };
  const apply = { calls: [{ tool: "resolve", input: { action: "apply", reason: "fine" } }] };
  await using _coder = closing(await talk(dir, [rewrite, apply, write("new.txt", "words")]));
  const seen = heard(dir).map(({ tool_name, tool_input }) => [
    tool_name,
    (tool_input as { file_path: string }).file_path,
  ]);
  expect(seen).toContainEqual(["Edit", dir.at("work/a.ts")]);
  expect(seen).toContainEqual(["Edit", dir.at("work/b.ts")]);
  expect(readFileSync(dir.at("work/b.ts"), "utf8")).toContain("foo(2)");
  expect(readFileSync(dir.at("work/a.ts"), "utf8")).toContain("foo(1)");
  expect(heard(dir).find(({ tool_name }) => tool_name === "Write")?.tool_input).toEqual({
    file_path: dir.at("work/new.txt"),
    content: "words",
  });
});

test("leave given by a hook lowers nothing: what would ask still asks", async () => {
  using dir = scratch();
  guard(dir, { command: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'` });
  await using coder = closing(await talk(dir, [bash("touch ran")], { approval: "ask" }));
  expect(results(coder)[0]?.isError).toBe(true);
  expect(existsSync(dir.at("work/ran"))).toBe(false);
});

test("a hook can ask, change a call, and say something beside it", async () => {
  using dir = scratch();
  const says = (output: object) => ({
    command: `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...output } })}'`,
  });
  claude(dir, {
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [
          {
            type: "command",
            if: "Bash(echo one*)",
            ...says({ updatedInput: { command: "echo two" }, additionalContext: "mind the gap" }),
          },
        ],
      },
      {
        matcher: "Bash",
        hooks: [
          {
            type: "command",
            if: "Bash(touch *)",
            ...says({ permissionDecision: "ask", permissionDecisionReason: "really?" }),
          },
        ],
      },
    ],
  });
  await using coder = closing(await talk(dir, [bash("echo one"), bash("touch ran")]));
  const [changed, asked] = results(coder);
  expect(changed?.all).toContain("two");
  expect(asked).toMatchObject({ isError: true, text: expect.stringContaining("really?") });
  expect(existsSync(dir.at("work/ran"))).toBe(false);
});

test("words of a hook for the model come with the result, before the input, and hold no escapes", async () => {
  using dir = scratch();
  claude(dir, {
    PostToolUse: [
      {
        matcher: "Bash",
        hooks: [{ type: "command", command: "printf 'format \\033[31mit\\033]0;x\\007' >&2; exit 2" }],
      },
    ],
    SessionStart: [{ hooks: [{ type: "command", command: "echo it is Friday" }] }],
    UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo be brief" }] }],
  });
  await using coder = closing(await talk(dir, [bash("echo x")]));
  expect(results(coder)[0]?.all).toContain("format it");
  expect(notes(coder)).toEqual(expect.arrayContaining(["it is Friday", "be brief"]));
});

test("an input that a hook refuses does not reach the model", async () => {
  using dir = scratch();
  claude(dir, { UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo 'not today' >&2; exit 2" }] }] });
  await using coder = closing(await talk(dir, [{ text: "Hello." }]));
  expect(coder.path().some((entry) => entry.type === "message")).toBe(false);
  expect(JSON.stringify(coder.events)).toContain("not today");
});

test("a stop hook sends the model on, and is told that it did", async () => {
  using dir = scratch();
  claude(dir, {
    Stop: [
      {
        hooks: [
          {
            type: "command",
            command: keep(dir, `[ $(wc -l < ${dir.at("heard")}) -gt 1 ] || { echo 'run the tests' >&2; exit 2; }`),
          },
        ],
      },
    ],
  });
  await using coder = closing(await talk(dir, [{ text: "Done." }]));
  expect(heard(dir).map((one) => one.stop_hook_active)).toEqual([false, true]);
  expect(JSON.stringify(coder.path())).toContain("run the tests");
});

test("a hook that is no guard and fails is one notice, three in a row switch it off", async () => {
  using dir = scratch();
  claude(dir, { PostToolUse: [{ hooks: [{ type: "command", command: keep(dir, "exit 1") }] }] });
  await using coder = closing(
    await talk(
      dir,
      [1, 2, 3, 4, 5].map((at) => bash(`echo ${at}`)),
    ),
  );
  expect(results(coder).every(({ isError }) => !isError)).toBe(true);
  expect(heard(dir)).toHaveLength(3);
  expect(noticesOf(coder.events).filter((text) => text.includes("three times"))).toHaveLength(1);
});

test("own hooks are asked in pith's words, and a row that cannot be read refuses", async () => {
  using dir = scratch();
  dir.write({
    "home/hooks.yml": `- on: call
  match: bash|write
  run: ${JSON.stringify(`{ cat; echo; } >> ${dir.at("heard")}; echo '{"do":"deny","reason":"closed"}'`)}
`,
  });
  await using coder = closing(await talk(dir, [bash("touch ran")]));
  expect(results(coder)[0]?.text).toContain("closed");
  expect(heard(dir)[0]).toMatchObject({ on: "call", tool: "bash", command: "touch ran", effect: "exec" });
  for (const text of [
    "- run: 'true'\n",
    "- on: call\n",
    "on: call\n",
    "- [",
    "- on: call\n  run: 'true'\n  match: '('\n",
    "- on: call\n  run: echo fine\n",
  ]) {
    using other = scratch();
    other.write({ "home/hooks.yml": text });
    await using next = closing(await talk(other, [bash("touch ran")]));
    expect([text, results(next)[0]?.isError]).toEqual([text, true]);
  }
});

test("an http hook is asked with its headers, and only the variables that it may have", async () => {
  using dir = scratch();
  const got: { body: unknown; header: string | null }[] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      got.push({ body: await request.json(), header: request.headers.get("x-word") });
      return Response.json({ decision: "block", reason: "says the server" });
    },
  });
  guard(dir, {
    type: "http",
    url: `http://127.0.0.1:${server.port}/`,
    headers: { "X-Word": "$WORD-$SECRET" },
    allowedEnvVars: ["WORD"],
  });
  const env = { PATH: process.env.PATH, WORD: "open", SECRET: "canary" };
  await using coder = closing(await talk(dir, [bash("touch ran")], { env }));
  expect(results(coder)[0]?.text).toContain("says the server");
  expect(got[0]).toMatchObject({ header: "open-", body: { tool_name: "Bash" } });
});

test("hooks have no keys of ours, and those of other products guard nothing and say so", async () => {
  using dir = scratch();
  dir.write({
    ".cursor/hooks.json": JSON.stringify({
      hooks: { beforeShellExecution: [{ command: `touch ${dir.at("cursor")}` }] },
    }),
  });
  guard(dir, { command: `env > ${dir.at("env")}` });
  const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: "canary-key", HOME: dir.path };
  await using coder = closing(await talk(dir, [bash("true")], { env }));
  expect(readFileSync(dir.at("env"), "utf8")).not.toContain("canary-key");
  expect(existsSync(dir.at("cursor"))).toBe(false);
  const command = coder.commands.read("/hooks");
  const shown = await said(command.is === "command" ? command.command : undefined);
  expect(shown).toContain("not used: it guards nothing here");
  expect(shown).toMatch(/PreToolUse "env .*\(guards\)/);
});

test("the end of a conversation is told, and a hook that hangs there does not hold it", async () => {
  using dir = scratch();
  claude(dir, { SessionEnd: [{ hooks: [{ type: "command", command: `touch ${dir.at("ended")}; sleep 300` }] }] });
  const coder = await talk(dir, [{ text: "Done." }]);
  const began = performance.now();
  await coder.close();
  await until(() => existsSync(dir.at("ended")), "the end");
  expect(performance.now() - began).toBeLessThan(10_000);
});

const closing = <T extends Coder>(coder: T): T & AsyncDisposable =>
  Object.assign(coder, { [Symbol.asyncDispose]: () => coder.close() });

test("only the user's own hook says yes to a question, under its name, and never to what is critical", async () => {
  const yes = `echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'`;
  const hooks = { PermissionRequest: [{ matcher: "Bash|Write", hooks: [{ type: "command", command: yes }] }] };
  const trust = { ask: () => ({ is: "trusted" as const }), problem: undefined };
  const open = (dir: Scratch, turn: object) => coderIn(dir, [turn, { text: "Done." }], { approval: "ask", trust });
  {
    using dir = scratch();
    claude(dir, hooks);
    await using coder = closing(await open(dir, bash("touch ran")));
    await coder.send({ text: "go" });
    expect(existsSync(dir.at("work/ran"))).toBe(true);
    expect(JSON.stringify(coder.path())).toContain("the hook PermissionRequest");
  }
  for (const [where, command] of [
    [".claude", "rm -rf /"],
    ["work/.claude", "touch ran"],
  ] as const) {
    using dir = scratch();
    dir.write({ [`${where}/settings.json`]: JSON.stringify({ hooks }) });
    await using coder = closing(await open(dir, bash(command)));
    const sent = coder.send({ text: "go" });
    await until(() => coder.events.some(({ type }) => type === "question"), "the question");
    await Bun.sleep(300);
    const asked = coder.events.find((event) => event.type === "question");
    expect(coder.events.some(({ type }) => type === "answered")).toBe(false);
    if (asked?.type === "question") coder.answer(asked.question.id, { say: "no" });
    await sent;
  }
});
