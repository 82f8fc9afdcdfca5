import { describe, expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import * as fc from "fast-check";
import { resolveModel } from "../../resolve.ts";
import { openRegistry } from "../registry.ts";
import { readCustom } from "./custom.ts";

const text = `providers:
  mine:
    baseUrl: http://127.0.0.1:9/v1
    apiKey: MY_KEY
    api: openai-completions
    headers: { x-team: blue }
    models:
      - id: big/one
        name: The big one
        contextWindow: 65536
        maxTokens: 4096
        reasoning: true
        tools: false
        input: [text, image]
        cost: { input: 1, output: 2 }
        compat: { maxTokensField: max_tokens }
      - id: small
  openai:
    models:
      - id: gpt-4o
        contextWindow: 1000
  google:
    baseUrl: http://127.0.0.1:8
`;

const homeWith = (models: string) => {
  const home = scratch();
  home.write({ "models.yml": models });
  return home;
};

describe("models.yml", () => {
  test("adds a vendor with its models, and the first one is the default", async () => {
    using dir = homeWith(text);
    const resolved = await resolveModel("mine/big/one", { env: {}, home: dir.path });
    expect(resolved).toMatchObject({
      ok: true,
      value: {
        model: {
          vendor: "mine",
          id: "big/one",
          api: "openai-completions",
          name: "The big one",
          contextWindow: 65_536,
          maxOutput: 4096,
          reasoning: true,
          tools: false,
          known: true,
          input: ["text", "image"],
          cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
          compat: { maxTokensField: "max_tokens" },
        },
        near: true,
        notes: [],
      },
    });
    expect(await resolveModel(undefined, { env: {}, home: dir.path })).toMatchObject({
      ok: true,
      value: { model: { vendor: "mine", id: "big/one" } },
    });
    expect(await resolveModel("small", { env: {}, home: dir.path })).toMatchObject({
      ok: true,
      value: { model: { vendor: "mine", id: "small" } },
    });
  });

  test("a model without a window is no better known than one that nobody wrote down", async () => {
    using dir = homeWith(text);
    const small = await resolveModel("small", { env: {}, home: dir.path });
    expect(small).toMatchObject({ ok: true, value: { model: { known: false }, guess: undefined } });
  });

  test("changes a vendor or a model that pith knows, also by another of its names", async () => {
    using dir = homeWith(text);
    const book = await openRegistry(dir.path, {});
    if (!book.ok) throw new Error(book.message);
    const [openai, gemini] = ["openai", "gemini"].map((id) => book.value.vendors.find((vendor) => vendor.id === id));
    if (!openai || !gemini) throw new Error("missing");
    expect(await book.value.find(openai, "gpt-4o")).toMatchObject({
      contextWindow: 1000,
      name: "GPT-4o",
      cost: { input: 2.5 },
    });
    expect(gemini.url).toBe("http://127.0.0.1:8");
  });

  test("is read with short names of protocols, and the long ones are what is recorded", async () => {
    const read = await readCustom(
      "models.yml",
      "providers:\n  a: { baseUrl: 'http://h', api: ollama }\n  b: { baseUrl: 'http://h', api: bedrock-converse }\n",
    );
    expect(read.ok && read.value.vendors.map((vendor) => vendor.api)).toEqual([
      "ollama-chat",
      "bedrock-converse-stream",
    ]);
  });

  test("that is wrong says every problem with file, line and key, and never a secret", async () => {
    const wrong = `providers:
  mine:
    baseUrl: nonsense
    apiKey: [super-secret-value]
    api: [carrier-pigeon]
    models:
      - id: a
        contextWindow: many
        cost: { input: -1 }
      - name: without id
  new: {}
`;
    const read = await readCustom("/h/models.yml", wrong);
    const message = read.ok ? "" : read.message;
    expect(message.split("\n")).toEqual([
      '/h/models.yml:3: providers.mine.baseUrl: expected an http or https address, found "nonsense"',
      "/h/models.yml:4: providers.mine.apiKey: expected a key, the name of a variable, or !command",
      expect.stringMatching(
        /^\/h\/models\.yml:5: providers\.mine\.api: expected one of openai-completions, .*found a list$/,
      ),
      '/h/models.yml:8: providers.mine.models.0.contextWindow: expected a whole number of tokens, found "many"',
      "/h/models.yml:9: providers.mine.models.0.cost.input: expected dollars per million tokens, found -1",
      "/h/models.yml:10: providers.mine.models.1: a model needs an id",
      "/h/models.yml:11: providers.new: a vendor that pith does not know needs a baseUrl",
    ]);
    expect(message).not.toContain("super-secret");
    using dir = homeWith(wrong);
    expect(await resolveModel("openai/x", { env: {}, home: dir.path })).toMatchObject({ ok: false, kind: "models" });
  });

  test("with words of a newer pith is read without what they belong to, and one line says so", async () => {
    const newer = `providers:
  far: { baseUrl: "https://far.example/v1", api: carrier-pigeon, models: [{ id: x }] }
  mine: { baseUrl: "https://mine.example/v1", models: [{ id: a, api: smoke }, { id: b }] }
`;
    const read = await readCustom("m.yml", newer);
    if (!read.ok) throw new Error(read.message);
    expect(read.value.vendors.map(({ id, models }) => [id, models.map((model) => model.id)])).toEqual([
      ["mine", ["b"]],
    ]);
    expect(read.value.warnings).toEqual([
      expect.stringMatching(/^m\.yml:2: providers\.far\.api: ignored: expected one of .*found "carrier-pigeon"$/),
      expect.stringMatching(/^m\.yml:3: providers\.mine\.models\.0\.api: ignored: .*found "smoke"$/),
    ]);
  });

  test("that is not YAML says where", async () => {
    expect(await readCustom("m.yml", "providers:\n  a: [1\n  b: }\n")).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^m\.yml:\d+: /),
    });
  });

  test("of whatever shape never ends in a crash, and what is taken from it can be used", async () => {
    const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null));
    const model = fc.record(
      {
        id: leaf,
        contextWindow: leaf,
        cost: fc.oneof(leaf, fc.dictionary(fc.string(), leaf)),
        input: fc.oneof(leaf, fc.array(leaf)),
        headers: leaf,
      },
      { requiredKeys: [] },
    );
    const vendor = fc.record(
      {
        baseUrl: leaf,
        apiKey: leaf,
        api: leaf,
        headers: leaf,
        models: fc.oneof(leaf, fc.array(fc.oneof(leaf, model))),
      },
      { requiredKeys: [] },
    );
    const file = fc.oneof(
      fc.json(),
      fc.dictionary(fc.string(), fc.oneof(leaf, vendor)).map((providers) => JSON.stringify({ providers })),
    );
    await fc.assert(
      fc.asyncProperty(file, async (text) => {
        const read = await readCustom("m.yml", text);
        if (!read.ok) return expect(read.message).toMatch(/^m\.yml/);
        for (const { models } of read.value.vendors) for (const { id } of models) expect(typeof id).toBe("string");
      }),
      { numRuns: 400 },
    );
  });

  test("with a key nobody knows is read, and one line says which was meant", async () => {
    const read = await readCustom("m.yml", "providers:\n  openai: { baseURL: 'http://h' }\n");
    expect(read).toMatchObject({
      ok: true,
      value: { warnings: ["m.yml:2: providers.openai.baseURL: unknown key; did you mean baseUrl?"] },
    });
    expect(await readCustom("m.yml", "")).toMatchObject({ ok: true, value: { vendors: [] } });
  });
});
