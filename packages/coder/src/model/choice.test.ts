import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Coder, openCoder } from "./coder.ts";
import { openSettings } from "./setting/setting.ts";

async function open(files: Record<string, string>, model: string) {
  const dir = mkdtempSync(join(tmpdir(), "pith-talk-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const settings = await openSettings({ cwd: dir, home: join(dir, "home") });
  if (!settings.ok) throw new Error(settings.message);
  const opened = await openCoder({
    ...{ cwd: dir, home: join(dir, "home"), userHome: dir, env: {}, settings: settings.value, model: join(dir, model) },
    ...{ session: { open: "none" }, approval: "yolo", asks: false },
  });
  if (!opened.ok) throw new Error(opened.message);
  const coder = opened.value;
  return {
    coder,
    at: (name: string) => join(dir, name),
    async [Symbol.asyncDispose]() {
      await coder.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const said = (coder: Coder) =>
  coder
    .path()
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant"
        ? [`${entry.message.model.split("/").at(-1)}: ${JSON.stringify(entry.message.content)}`]
        : [],
    );
const price = { cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
const usage = { input: 1_000_000, output: 500_000 };

test("a conversation goes on with another model from the next turn on, with all that was said", async () => {
  const first = { model: price, turns: [{ text: "one", usage }] };
  const other = { model: price, turns: [{ expect: { user: "again" }, text: "two", usage }] };
  await using own = await open({ "a.json": JSON.stringify(first), "b.json": JSON.stringify(other) }, "a.json");
  const { coder } = own;
  await coder.send({ text: "hello" });
  expect(await coder.use(own.at("b.json"))).toMatchObject({ ok: true, value: { id: own.at("b.json") } });
  expect(coder.model.id).toBe(own.at("b.json"));
  await coder.send({ text: "again" });
  expect(said(coder)).toEqual(['a.json: [{"type":"text","text":"one"}]', 'b.json: [{"type":"text","text":"two"}]']);
  expect(coder.path().flatMap((entry) => (entry.type === "model_change" ? [entry.modelId] : []))).toEqual([
    own.at("a.json"),
    own.at("b.json"),
  ]);
  const { total, models, context } = await coder.usage();
  expect(total).toMatchObject({ replies: 2, input: 2_000_000, output: 1_000_000, cost: 3 });
  expect(Object.values(models).map((one) => one.cost)).toEqual([1.5, 1.5]);
  expect(context.total).toBe(
    context.system + context.toolDefinitions + context.messages + context.toolResults + context.files,
  );
  expect(context.system).toBeGreaterThan(0);
});

test("a model that cannot be used is refused, and the present one stays", async () => {
  await using own = await open({ "a.json": JSON.stringify({ turns: [{ text: "one" }] }) }, "a.json");
  expect(await own.coder.use("openai/gpt-5")).toMatchObject({
    ok: false,
    kind: "model",
    message: expect.stringContaining("OPENAI_API_KEY"),
  });
  expect(own.coder.model.id).toBe(own.at("a.json"));
});
