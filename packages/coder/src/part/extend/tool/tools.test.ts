import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import type { Coder } from "../../../hall/coder.ts";
import { coderIn, noticesOf } from "../../../test/open.ts";

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });

const count = `#!/bin/sh
# Counts the words of a text.
# parameters: {"type":"object","properties":{"text":{"type":"string"},"times":{"type":"integer"}},"required":["text"]}
read -r given
printf "given %s\\n" "$given"
`;

const results = (coder: Coder): { text: string; isError: boolean }[] =>
  coder.path().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "toolResult") return [];
    const text = entry.message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    return [{ text, isError: entry.message.isError }];
  });

const closing = <T extends Coder>(coder: T): T & AsyncDisposable =>
  Object.assign(coder, { [Symbol.asyncDispose]: () => coder.close() });

test("a script with a comment at its top is a tool, whose arguments come as JSON and are checked before", async () => {
  using dir = scratch();
  dir.write({ "home/tools/count_words.sh": count });
  const hostile = `it's "$(touch evil)" \`touch evil\`\nPITH_INPUT\n} ; touch evil`;
  const turns = [
    call("count_words", { text: hostile }),
    call("count_words", { text: 7, times: 1.5 }),
    call("count_words", {}),
  ];
  await using coder = closing(await coderIn(dir, [...turns, { text: "Done." }], { asks: false }));
  await coder.send({ text: "go" });
  const [fine, wrong, missing] = results(coder);
  expect(fine).toEqual({ isError: false, text: expect.stringContaining(`given ${JSON.stringify({ text: hostile })}`) });
  expect(existsSync(dir.at("work/evil"))).toBe(false);
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining("expected integer") });
  expect(missing).toMatchObject({ isError: true, text: expect.stringContaining("is missing") });
});

test("a tool of one's own is judged as the command that it is", async () => {
  using dir = scratch();
  dir.write({ "home/tools/danger.json": JSON.stringify({ description: "Cleans.", command: "rm -rf /" }) });
  dir.write({ "home/tools/push.md": "---\ndescription: Pushes.\ncommand: [touch, pushed]\n---\nUse it at the end.\n" });
  const turns = [call("danger", {}), call("push", {}), { text: "Done." }];
  await using coder = closing(await coderIn(dir, turns, { asks: false, approval: "ask" }));
  await coder.send({ text: "go" });
  expect(results(coder).map(({ isError }) => isError)).toEqual([true, true]);
  expect(existsSync(dir.at("work/pushed"))).toBe(false);
  await using other = closing(await coderIn(dir, [call("push", {}), { text: "Done." }], { asks: false }));
  await other.send({ text: "go" });
  expect(existsSync(dir.at("work/pushed"))).toBe(true);
});

test("what cannot be a tool is told once and harms no other", async () => {
  using dir = scratch();
  dir.write({
    "home/tools/good.sh": count,
    "home/tools/plain.sh": "# No exec bit.\necho x\n",
    "home/tools/silent.sh": "#!/bin/sh\necho x\n",
    "home/tools/read.sh": count,
    "home/tools/a.b.sh": count,
    "home/tools/broken.json": "{",
    "home/tools/schema.json": JSON.stringify({ description: "x", command: "true", parameters: { type: "string" } }),
    "home/tools/listed.md": "---\ndescription: Only words.\n---\n",
    "home/tools/module.ts": "throw new Error()",
  });
  await using coder = closing(await coderIn(dir, [call("good", { text: "x" }), { text: "Done." }], { asks: false }));
  await coder.send({ text: "go" });
  expect(results(coder)[0]?.isError).toBe(false);
  const told = noticesOf(coder.events).filter((text) => text.startsWith("The tool"));
  for (const [name, why] of [
    ["plain", "may not be executed"],
    ["silent", "no description"],
    ["read", "built in"],
    ["a.b", "its name"],
    ["schema", "no JSON schema"],
  ] as const)
    expect(told.find((text) => text.startsWith(`The tool ${name} `))).toContain(why);
  expect(told.join()).not.toContain("module");
});

test("a project's tool is offered after a yes only, and not run when its bytes change later", async () => {
  using dir = scratch();
  dir.write({ "work/.git/HEAD": "ref: refs/heads/main\n", "work/.pith/tools/count_words.sh": count });
  const turn = call("count_words", { text: "x" });
  let is: "trusted" | "untrusted" = "untrusted";
  const trust = { ask: () => ({ is }), problem: undefined };
  const open = async () => closing(await coderIn(dir, [turn, turn, { text: "Done." }], { asks: false, trust }));
  {
    await using coder = await open();
    await coder.send({ text: "go" });
    expect(results(coder)[0]).toMatchObject({ isError: true, text: expect.stringContaining("count_words") });
    expect(noticesOf(coder.events).join()).toContain("1 tool of this project left out");
  }
  is = "trusted";
  await using coder = await open();
  coder.subscribe((event) => {
    if (event.type === "entry" && event.entry.type === "message" && event.entry.message.role === "toolResult")
      is = "untrusted";
  });
  await coder.send({ text: "go" });
  expect(results(coder).map(({ isError }) => isError)).toEqual([false, true]);
  expect(results(coder)[1]?.text).toContain("has changed since");
});

test("tools within the room are told at once, in the order of their names, and the others are found", async () => {
  using dir = scratch();
  for (const name of ["zeta", "alpha", "beta"]) dir.write({ [`home/tools/${name}.sh`]: count });
  const requests: { tools: readonly { name: string }[] }[] = [];
  const look = {
    name: "look",
    context: (request: { tools: readonly { name: string }[] }) => void requests.push(request),
  };
  const options = { asks: false, parts: [{ name: "look", hooks: [look] }], set: { "tools.directBytes": 400 } };
  await using coder = closing(await coderIn(dir, [{ text: "Done." }], options));
  await coder.send({ text: "go" });
  const names = requests[0]?.tools.map(({ name }) => name) ?? [];
  expect(names.filter((name) => ["alpha", "beta", "zeta"].includes(name))).toEqual(["alpha", "beta"]);
});
