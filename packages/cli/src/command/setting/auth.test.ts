import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runIn } from "../../test/command.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pith-auth-"));
  for (const name of ["work", "home"]) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true }));

const pith = (argv: string[], process: Parameters<typeof runIn>[2] = {}) => runIn(root, argv, process);

const key = "sk-canary-0123456789";

const piped = (text: string) => ({
  input: {
    kind: "pipe" as const,
    async *bytes() {
      yield new TextEncoder().encode(text);
    },
  },
});

test("pith auth keeps a key that is piped in, shows its last letters, uses it, and forgets it", async () => {
  expect(await pith(["auth", "add", "google", "--label", "work"], piped(`${key}\n`))).toEqual({
    code: 0,
    out: "1  gemini  …6789\n",
    err: "",
  });
  const file = join(root, "home", "agent.db");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await pith(["auth"])).out).toBe(
    "number  vendor  kind  ends in  label\n     1  gemini  key   …6789    work\n",
  );
  expect((await pith(["models", "gemini-2.5-pro"])).out).toMatch(/^gemini\/gemini-2\.5-pro /m);
  expect((await pith(["auth", "remove", "1"])).code).toBe(0);
  expect(readFileSync(file).includes(key)).toBe(false);
  expect(await pith(["auth"])).toMatchObject({
    code: 0,
    out: "",
    err: expect.stringContaining("no keys are stored"),
  });
});

test("pith auth with a damaged file of keys says which it is and what to do, in every command", async () => {
  writeFileSync(join(root, "home", "agent.db"), "not a database, though long enough to be taken for one ".repeat(40));
  for (const argv of [["auth"], ["auth", "why", "openai"], ["auth", "remove", "1"], ["models"]])
    expect(await pith(argv)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/agent\.db\): .* move it away and add the keys again\.\n$/),
    });
  expect((await pith(["auth", "add", "openai"], piped(key))).code).toBe(2);
});

test("pith auth says where the key of a vendor comes from, from the strongest place to the weakest", async () => {
  await pith(["auth", "add", "openai"], piped(key));
  await pith(["auth", "add", "openai"], piped(`${key}-two`));
  const { code, out } = await pith(["auth", "why", "openai"], { env: { OPENAI_API_KEY: `${key}-env` } });
  expect(code).toBe(0);
  expect(out.split("\n")).toEqual([
    "openai, from the strongest place to the weakest:",
    "  1. apiKey in models.yml            nothing",
    "  2. stored keys (pith auth add)     1 …6789, 2 …-two  used, in turns",
    "  3. OPENAI_API_KEY                  …-env  used last",
    "",
  ]);
  writeFileSync(join(root, "home", "models.yml"), `providers:\n  openai: { apiKey: ${key}-yml }\n`);
  expect(
    (await pith(["auth", "why", "openai"], { env: { OPENAI_API_KEY: `${key}-env` } })).out
      .split("\n")
      .map((line) => line.slice(37)),
  ).toEqual(["he weakest:", "…-yml  used", "1 …6789, 2 …-two  not used", "…-env  not used", ""]);
  expect(await pith(["auth", "why", "groq"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("no key of groq was found"),
  });
});

test("pith auth takes no key as an argument, no vendor nobody knows, and no text that is no key", async () => {
  const { code, err } = await pith(["auth", "add", "openai", key]);
  expect(code).toBe(2);
  expect(err).toContain("standard input");
  expect(err).not.toContain(key);
  expect(await pith(["auth", "add", "opnai"], piped(key))).toMatchObject({
    code: 2,
    err: expect.stringContaining("did you mean openai?"),
  });
  expect(await pith(["auth", "add", "openai"], piped("two words"))).toMatchObject({ code: 2 });
  expect(await pith(["auth", "remove", "7"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("there is no key 7"),
  });
  expect(await pith(["auth", "frobnicate"])).toMatchObject({ code: 2 });
});
