import { expect, test } from "bun:test";
import { type Scratch, scratch } from "@pith/kit/test";
import { coderIn } from "../test/open.ts";

type Coder = Awaited<ReturnType<typeof coderIn>>;

async function open(dir: Scratch, scripts: Record<string, unknown>, model: string): Promise<Coder> {
  dir.write(Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, JSON.stringify(script)])));
  return coderIn(dir, [{ text: "not asked" }], { env: {}, model: dir.at(model), session: { open: "none" } });
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
  using dir = scratch();
  const coder = await open(dir, { "a.json": first, "b.json": other }, "a.json");
  await coder.send({ text: "hello" });
  expect(await coder.use(dir.at("b.json"))).toMatchObject({ ok: true, value: { id: dir.at("b.json") } });
  expect(coder.model.id).toBe(dir.at("b.json"));
  await coder.send({ text: "again" });
  expect(said(coder)).toEqual(['a.json: [{"type":"text","text":"one"}]', 'b.json: [{"type":"text","text":"two"}]']);
  expect(coder.path().flatMap((entry) => (entry.type === "model_change" ? [entry.modelId] : []))).toEqual([
    dir.at("a.json"),
    dir.at("b.json"),
  ]);
  const { total, models, context } = await coder.usage();
  expect(total).toMatchObject({ replies: 2, input: 2_000_000, output: 1_000_000, cost: 3 });
  expect(Object.values(models).map(({ cost }) => cost)).toEqual([1.5, 1.5]);
  expect(context.total).toBe(
    context.system + context.toolDefinitions + context.messages + context.toolResults + context.files,
  );
  expect(context.system).toBeGreaterThan(0);
  await coder.close();
});

test("the record holds how long each model thinks, and what one cannot do the next is asked for again", async () => {
  using dir = scratch();
  const plain = { model: { reasoning: false }, turns: [{ text: "one" }] };
  const thinks = { model: { reasoning: true }, turns: [{ text: "two" }] };
  const coder = await open(dir, { "plain.json": plain, "thinks.json": thinks }, "plain.json");
  coder.configure({ thinking: "high" });
  await coder.send({ text: "hello" });
  await coder.use(dir.at("thinks.json"));
  const levels = () =>
    coder.path().flatMap((entry) => (entry.type === "thinking_level_change" ? [entry.thinkingLevel] : []));
  expect(levels()).toEqual(["off", "high"]);
  await coder.use(dir.at("plain.json"));
  expect(levels()).toEqual(["off", "high", "off"]);
  await coder.close();
});

test("a model that cannot be used is refused, and the present one stays", async () => {
  using dir = scratch();
  const coder = await open(dir, { "a.json": { turns: [{ text: "one" }] } }, "a.json");
  expect(await coder.use("openai/gpt-5")).toMatchObject({
    ok: false,
    kind: "model",
    message: expect.stringContaining("OPENAI_API_KEY"),
  });
  expect(coder.model.id).toBe(dir.at("a.json"));
  await coder.close();
});

test("a model that localModels names is asked by the profile local, and the next one by its own", async () => {
  using dir = scratch();
  dir.write({ "home/config.yml": "localModels: faux/*b.json\n" });
  const turns = { turns: [{ text: "." }, { text: "." }] };
  const coder = await open(dir, { "a.json": turns, "b.json": turns }, "a.json");
  const told = () =>
    coder
      .path()
      .flatMap((entry) =>
        entry.type === "custom" && entry.customType === "pith.prompt"
          ? [(entry.data as { tools: { name: string }[] }).tools.map(({ name }) => name)]
          : [],
      );
  await coder.send({ text: "one" });
  await coder.use(dir.at("b.json"));
  await coder.send({ text: "two" });
  await coder.use(dir.at("a.json"));
  await coder.send({ text: "three" });
  const [first, second, third, ...more] = told();
  expect(second).toEqual(["read", "write", "edit", "bash", "search", "find"]);
  expect([third, more]).toEqual([first, []]);
  expect(first).toContain("load_tools");
  await coder.close();
});
