import { describe, expect, test } from "bun:test";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { ok, openDatabase } from "@pith/kit";
import { scratch } from "@pith/kit/test";
import type { CustomVendor } from "../catalog/custom/custom.ts";
import { type Vendor, vendorIn, vendorsFor } from "../vendor/vendor.ts";
import { checkKey, findKeys, keysFor, masked } from "./credential.ts";
import { openKeyStore } from "./store.ts";

const vendor = (id: string, custom?: Partial<CustomVendor>, env = {}): Vendor => {
  const vendor = vendorIn(vendorsFor(env, custom ? [{ id, models: [], overrides: [], ...custom }] : []), id);
  if (!vendor) throw new Error(id);
  return vendor;
};
const secrets = async (id: string, env: Record<string, string>, custom?: Partial<CustomVendor>) => {
  const keys = await keysFor(vendor(id, custom, env), {
    env,
    store: undefined,
    run: async (command) => ok(`ran-${command}-0123456789`),
  });
  return keys.ok ? keys.value.map((key) => key.secret) : keys.message;
};

/** The store in a file that can be read. */
async function stored(...place: Parameters<typeof openKeyStore>) {
  const opened = await openKeyStore(...place);
  if (!opened.ok) throw new Error(opened.message);
  return opened.value;
}

describe("a key is found", () => {
  test("in the variable of its vendor, the stronger one first", async () => {
    expect(await secrets("openai", { OPENAI_API_KEY: " sk-abc\n" })).toEqual(["sk-abc"]);
    expect(await secrets("anthropic", { ANTHROPIC_API_KEY: "plain", ANTHROPIC_OAUTH_TOKEN: "login" })).toEqual([
      "login",
    ]);
    expect(await secrets("huggingface", { HF_TOKEN: "second", HUGGINGFACE_HUB_TOKEN: "first" })).toEqual(["first"]);
    expect(await secrets("xai-oauth", { XAI_API_KEY: "key" })).toEqual(["key"]);
    expect(
      await secrets("anthropic", {
        CLAUDE_CODE_USE_FOUNDRY: "yes",
        ANTHROPIC_FOUNDRY_API_KEY: "foundry",
        ANTHROPIC_API_KEY: "plain",
      }),
    ).toEqual(["foundry"]);
    expect(await secrets("github-copilot", { GITHUB_TOKEN: "x", GH_TOKEN: "y" })).toEqual([]);
  });

  test("in models.yml: a command, the name of a variable, or itself; it belongs to its address alone", async () => {
    const env = { OPENAI_API_KEY: "from-env", MY_KEY: "from-variable" };
    expect(await secrets("openai", env, { apiKey: "!pass" })).toEqual(["ran-pass-0123456789"]);
    expect(await secrets("openai", env, { apiKey: "MY_KEY" })).toEqual(["from-variable"]);
    expect(await secrets("openai", env, { apiKey: "literal-key" })).toEqual(["literal-key"]);
  });

  test("nowhere, when nothing is set or only spaces are", async () => {
    expect(await secrets("openai", { OPENAI_API_KEY: "  " })).toEqual([]);
  });
});

test("a text that is no key is refused without being shown", async () => {
  for (const odd of ["sk-ab\nc", "sk-äöü-secret", "two words"]) {
    const message = await secrets("openai", { OPENAI_API_KEY: odd });
    expect(message).toContain("OPENAI_API_KEY");
    expect(message).not.toContain(odd.slice(0, 5));
  }
  expect(checkKey("", "x")).toMatchObject({ ok: false });
});

test("only the last letters of a key are shown, and nothing of a short one", () => {
  expect(masked("sk-0123456789abcdef")).toBe("…cdef");
  expect(masked("short")).toBe("…");
});

describe("stored keys", () => {
  const folder = () => {
    const dir = scratch();
    return { file: dir.at("home", "agent.db"), [Symbol.dispose]: () => dir[Symbol.dispose]() };
  };

  test("are kept in a file that nobody else can read, also when it was readable before", async () => {
    using dir = folder();
    expect(await openKeyStore(dir.file, "is nothing")).toEqual({ ok: true, value: undefined });
    using store = await stored(dir.file, "is made");
    store?.add({ vendor: "openai", kind: "key", label: "work", secret: "sk-1", now: 5 });
    expect(statSync(dir.file).mode & 0o777).toBe(0o600);
    chmodSync(dir.file, 0o644);
    using again = await stored(dir.file, "is nothing");
    expect(statSync(dir.file).mode & 0o777).toBe(0o600);
    expect(again?.list("openai")).toMatchObject([
      { vendor: "openai", kind: "key", label: "work", secret: "sk-1", createdAt: 5, blockedUntil: 0, data: "{}" },
    ]);
  });

  test("are used in the order they were added, before the variable; the same key is kept once", async () => {
    using dir = folder();
    using store = await stored(dir.file, "is made");
    for (const secret of ["sk-1", "sk-2", "sk-1"])
      store?.add({ vendor: "openai", kind: "key", label: "x", secret, now: 0 });
    const keys = await keysFor(vendor("openai"), { env: { OPENAI_API_KEY: "sk-env" }, store });
    expect(keys.ok && keys.value.map((key) => key.secret)).toEqual(["sk-1", "sk-2", "sk-env"]);
    const looks = await findKeys(vendor("openai"), { env: {}, store });
    expect(looks.map((look) => [look.place, look.keys.length])).toEqual([
      ["apiKey in models.yml", 0],
      ["stored keys (pith auth add)", 2],
      ["OPENAI_API_KEY", 0],
    ]);
  });

  test("are removed by number, blocked until a time, and two processes can write at once", async () => {
    using dir = folder();
    using first = await stored(dir.file, "is made");
    using second = await stored(dir.file, "is nothing");
    const added = first?.add({
      vendor: "groq",
      kind: "oauth",
      label: "login",
      secret: "t",
      data: '{"refresh":"r"}',
      now: 0,
    });
    second?.add({ vendor: "groq", kind: "key", label: "key", secret: "k", now: 0 });
    second?.block(added?.id ?? 0, 99);
    expect(first?.list("groq")).toMatchObject([
      { kind: "oauth", blockedUntil: 99, data: '{"refresh":"r"}' },
      { kind: "key" },
    ]);
    expect(first?.remove(added?.id ?? 0)).toBe("removed");
    expect(second?.remove(added?.id ?? 0)).toBe("missing");
    expect(first?.list()).toHaveLength(1);
  });

  test("of a file that is no database are an error, not a loss", async () => {
    using dir = folder();
    using made = await stored(dir.file, "is made");
    made?.[Symbol.dispose]();
    writeFileSync(dir.file, "this is not a database, and long enough to be looked at as one".repeat(20));
    expect(await openKeyStore(dir.file, "is nothing")).toMatchObject({ ok: false, kind: "credential" });
  });

  test("that a newer pith keeps are not touched, and it is said", async () => {
    using dir = folder();
    using made = await stored(dir.file, "is made");
    made?.add({ vendor: "a", kind: "key", label: "", secret: "s", now: 0 });
    made?.[Symbol.dispose]();
    const { close } = await openDatabase(dir.file, { version: 7, tables: [], journal: "roll back" });
    close();
    expect(await openKeyStore(dir.file, "is nothing")).toMatchObject({
      message: expect.stringContaining("a newer pith"),
    });
  });
});
