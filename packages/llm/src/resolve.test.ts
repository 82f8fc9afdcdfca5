import { describe, expect, test } from "bun:test";
import { modelName } from "./model/model.ts";
import { resolveModel } from "./resolve.ts";
import { ask, collect, joined, user } from "./test/fixture.ts";

const keyed = { env: { OPENAI_API_KEY: "sk-0123456789" } };
const local = { env: { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" } };

describe("a model is found", () => {
  test("by vendor and id", async () => {
    expect(await resolveModel("openai/gpt-4o", keyed)).toMatchObject({
      ok: true,
      value: { model: { vendor: "openai", id: "gpt-4o", known: true, api: "openai-responses" }, notes: [] },
    });
  });

  test("by its id alone", async () => {
    expect(await resolveModel("gpt-4o", keyed)).toMatchObject({
      ok: true,
      value: { model: { vendor: "openai", id: "gpt-4o" } },
    });
  });

  test("without a name, when a vendor is configured", async () => {
    const resolved = await resolveModel(undefined, keyed);
    expect(resolved).toMatchObject({ ok: true, value: { model: { vendor: "openai", known: true } } });
    expect(await resolveModel(undefined, local)).toMatchObject({ ok: true });
  });

  test("though the catalog does not know it, with a line that says so; slashes belong to the id", async () => {
    const resolved = await resolveModel("openai/qwen/qwen3-8b", local);
    expect(resolved).toMatchObject({
      ok: true,
      value: {
        model: {
          id: "qwen/qwen3-8b",
          known: false,
          contextWindow: 128_000,
          maxOutput: 16_384,
          api: "openai-completions",
        },
        notes: [],
        guess:
          "The catalog does not know openai/qwen/qwen3-8b: using it as it is, assuming 128,000 tokens of context, 16,384 of output, and text only. models.yml can tell more of it (pith help models).",
      },
    });
    expect(await resolveModel("my-model", local)).toMatchObject({
      ok: true,
      value: { model: { vendor: "openai", id: "my-model", known: false } },
    });
  });

  test("at a server of one's own, under whatever name, before anybody's catalog", async () => {
    for (const name of ["qwen3:8b", "qwen3", "opus"])
      expect(await resolveModel(name, local)).toMatchObject({
        ok: true,
        value: { model: { vendor: "openai", id: name, known: false } },
      });
    const both = { env: { ...local.env, ANTHROPIC_API_KEY: "key-0123456789" } };
    expect(await resolveModel("opus", both)).toMatchObject({
      ok: true,
      value: { model: { vendor: "anthropic", id: "claude-opus-5-5" } },
    });
    expect(await resolveModel("qwen3:8b", both)).toMatchObject({ ok: true, value: { model: { vendor: "openai" } } });
  });

  test("by a few letters, with a level of thinking behind it", async () => {
    const anthropic = { env: { ANTHROPIC_API_KEY: "key-0123456789" } };
    expect(await resolveModel("opus:high", anthropic)).toMatchObject({
      ok: true,
      value: { model: { id: "claude-opus-5-5" }, effort: "high", notes: ["opus → anthropic/claude-opus-5-5"] },
    });
    expect(await resolveModel("anthropic/claude-haiku-4-5:off", anthropic)).toMatchObject({
      ok: true,
      value: { model: { id: "claude-haiku-4-5" }, effort: "off", notes: [] },
    });
    const proxied = { env: { ...anthropic.env, ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } };
    expect(await resolveModel("opus", proxied)).toMatchObject({
      ok: true,
      value: { model: { vendor: "anthropic", id: "claude-opus-5-5" } },
    });
    expect(await resolveModel("openai/some:high", local)).toMatchObject({
      ok: true,
      value: { model: { id: "some" }, effort: "high" },
    });
    expect(await resolveModel("openai/qwen3:8b", local)).toMatchObject({
      ok: true,
      value: { model: { id: "qwen3:8b" } },
    });
    expect((await resolveModel("openai/qwen3:8b", local)) as object).not.toHaveProperty("value.effort");
  });

  test("as it was named with its vendor, never another one in its place", async () => {
    const env = {
      ANTHROPIC_API_KEY: "key-0123456789",
      AWS_BEARER_TOKEN_BEDROCK: "key-0123456789",
      AZURE_OPENAI_API_KEY: "key-0123456789",
      AZURE_OPENAI_RESOURCE_NAME: "mine",
      AZURE_OPENAI_DEPLOYMENT_NAME_MAP: "gpt-x=deployed, gpt-y = other",
    };
    for (const [name, like] of [
      ["anthropic/claude-opus-6", "anthropic/claude-opus-4-6"],
      ["anthropic/sonnet", "anthropic/claude-sonnet"],
      ["bedrock/x", "bedrock/"],
      ["azure/gpt-x", "azure/gpt-5"],
    ]) {
      const resolved = await resolveModel(name, { env });
      if (!resolved.ok) throw new Error(resolved.message);
      expect(modelName(resolved.value.model)).toBe(name as string);
      expect(resolved.value.guess).toContain(`did you mean ${like}`);
    }
    expect(await resolveModel("gpt-y", { env })).toMatchObject({
      ok: true,
      value: { model: { vendor: "azure", id: "gpt-y" }, notes: [] },
    });
  });

  test("as a built-in script, by both ways to name it", async () => {
    const resolved = await resolveModel("faux/echo", { env: {} });
    if (!resolved.ok) throw new Error(resolved.message);
    const { model, stream, script } = resolved.value;
    expect(model).toMatchObject({ vendor: "faux", id: "echo", api: "faux", known: true });
    expect(script?.name).toContain("scripted");
    expect(joined(await collect(stream, ask([user("hello")], { model })), "text")).toBe("hello");
  });

  test("as a script file, with or without the vendor", async () => {
    const readFile = async (path: string) =>
      path === "dir/demo.json" ? '{"turns":[{"text":"hi"}]}' : Promise.reject(new Error("no"));
    for (const name of ["faux/dir/demo.json", "dir/demo.json"])
      expect(await resolveModel(name, { env: {}, readFile })).toMatchObject({
        ok: true,
        value: { model: { vendor: "faux", id: "dir/demo.json" } },
      });
  });
});

describe("no model is found", () => {
  test("and the message tells every way to connect one", async () => {
    for (const name of [undefined, "some-unheard-model"]) {
      const resolved = await resolveModel(name, { env: { OPENAI_API_KEY: "  " } });
      expect(resolved).toMatchObject({ ok: false, kind: "none" });
      for (const way of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "--model faux/tour"])
        expect(resolved.ok ? "" : resolved.message).toContain(way);
    }
  });

  test("for a vendor nobody knows, and the known ones are named", async () => {
    expect(await resolveModel("acme/x", keyed)).toMatchObject({
      ok: false,
      kind: "vendor",
      message: expect.stringMatching(/"acme".*openai, .*faux/s),
    });
  });

  test("for a vendor that is nearly one, and that one is named instead of all", async () => {
    const resolved = await resolveModel("antropic/claude-opus-5-5", keyed);
    expect(resolved).toMatchObject({ ok: false, kind: "vendor" });
    expect(resolved.ok ? "" : resolved.message).toMatch(/did you mean anthropic\/claude-opus-5-5\?(?!.*deepseek)/s);
  });

  test("for a vendor without an id", async () => {
    expect(await resolveModel("openai/", keyed)).toMatchObject({ ok: false, kind: "vendor" });
  });

  test("without a key, and the variable is named", async () => {
    for (const name of ["openai/gpt-4o", "gpt-4o"])
      expect(await resolveModel(name, { env: {} })).toMatchObject({
        ok: false,
        kind: "credential",
        message: expect.stringContaining("OPENAI_API_KEY"),
      });
    expect(await resolveModel(undefined, { env: { OPENAI_BASE_URL: "https://example.com/v1" } })).toMatchObject({
      ok: false,
      kind: "credential",
    });
  });

  test("at an address that is none", async () => {
    expect(await resolveModel("openai/x", { env: { OPENAI_BASE_URL: "nonsense" } })).toMatchObject({
      ok: false,
      kind: "vendor",
    });
  });

  test("for a script that does not exist or is broken", async () => {
    expect(await resolveModel("faux/tuor", { env: {} })).toMatchObject({
      ok: false,
      kind: "script",
      message: expect.stringContaining("did you mean tour?"),
    });
    expect(await resolveModel("faux/", { env: {} })).toMatchObject({ ok: false, kind: "script" });
    expect(
      await resolveModel("./none.yml", {
        env: {},
        readFile: () => Promise.reject(Object.assign(new Error("x"), { code: "ENOENT" })),
      }),
    ).toMatchObject({
      ok: false,
      kind: "script",
      message: "the script ./none.yml cannot be read: there is no such file",
    });
    expect(await resolveModel("a.json", { env: {}, readFile: async () => "{}" })).toMatchObject({
      ok: false,
      kind: "script",
      message: expect.stringContaining("turns"),
    });
  });
});
