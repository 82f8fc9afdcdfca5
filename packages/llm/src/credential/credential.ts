import { fail, ok, type Result } from "@pith/kit";
import type { Vendor } from "../vendor/vendor.ts";
import type { KeyStore } from "./store.ts";

export interface ApiKey {
  secret: string;
  kind: "key" | "oauth";
  /** The variable or place it came from; safe to show. */
  from: string;
  /** Row of a stored key. */
  id?: number;
  blockedUntil?: number;
}

export interface KeyEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  store: KeyStore | undefined;
  /** Runs the command after `!` in `models.yml` and returns its output; `again` runs it even if it has run before. */
  run?: (command: string, how?: "again") => Promise<Result<string, "credential">>;
}

/** A place where a key may be, and the keys found there. */
export interface KeySource {
  place: string;
  keys: readonly ApiKey[];
  problem?: string;
}

/** Looks in every place, the strongest first: `models.yml` (its key belongs to the address), stored keys, variables. */
export async function findKeys(vendor: Vendor, sources: KeyEnvironment): Promise<KeySource[]> {
  const apiKey = vendor.custom?.apiKey;
  const keys = (sources.store?.list(vendor.id) ?? []).map(
    ({ id, kind, label, secret, blockedUntil }): ApiKey => ({
      id,
      kind,
      from: `stored key ${id} (${label})`,
      secret,
      blockedUntil,
    }),
  );
  return [
    apiKey === undefined ? { place: inFile, keys: [] } : await written(apiKey, sources),
    { place: "stored keys (pith auth add)", keys },
    ...vendor.keys.map((variable) => inVariable(variable, sources.env)),
  ];
}

/**
 * The keys to use, in order. A key in `models.yml` stands alone; stored keys take turns, with the first variable that
 * is set as the last of them.
 */
export async function keysFor(vendor: Vendor, sources: KeyEnvironment): Promise<Result<ApiKey[], "credential">> {
  const looks = await findKeys(vendor, sources);
  const [first] = looks;
  if (vendor.custom?.apiKey !== undefined && first)
    return first.problem ? fail("credential", first.problem) : ok([...first.keys]);
  const stored = looks.find((look) => look.keys.some((key) => key.id !== undefined))?.keys ?? [];
  const variable = looks.find((look) => look.problem !== undefined || (look.keys[0] && look.keys[0].id === undefined));
  if (variable?.problem && stored.length === 0) return fail("credential", variable.problem);
  return ok([...stored, ...(variable?.keys ?? [])]);
}

/** A key as it may be shown: its last characters. */
export const masked = (secret: string): string => (secret.length >= 16 ? `…${secret.slice(-4)}` : "…");

/**
 * Trims a key and checks that it can be sent. The runtime's own error about a header may quote the key, so the check is
 * here.
 */
export function checkKey(text: string, place: string): Result<string, "credential"> {
  // A key read from a file often ends with a newline.
  const secret = text.trim();
  if (/^[\x21-\x7e]+$/.test(secret)) return ok(secret);
  return fail(
    "credential",
    `${place} holds ${secret === "" ? "nothing" : "characters that no key has (spaces, line breaks or letters beyond ASCII)"}`,
  );
}

function inVariable(variable: string, env: KeyEnvironment["env"]): KeySource {
  const text = env[variable];
  if (!text?.trim()) return { place: variable, keys: [] };
  const secret = checkKey(text, variable);
  if (!secret.ok) return { place: variable, keys: [], problem: secret.message };
  return {
    place: variable,
    keys: [{ secret: secret.value, kind: /_(?:OAUTH|AUTH)_TOKEN$/.test(variable) ? "oauth" : "key", from: variable }],
  };
}

async function written(apiKey: string, { env, run }: KeyEnvironment): Promise<KeySource> {
  const value = await resolveValue(apiKey, env, run);
  const secret = value.ok ? checkKey(value.value, inFile) : value;
  if (!secret.ok) return { place: inFile, keys: [], problem: secret.message };
  return { place: inFile, keys: [{ secret: secret.value, kind: "key", from: inFile }] };
}
const inFile = "apiKey in models.yml";

/**
 * Resolves a value of `models.yml`: the output of a command, the value of a variable, or the text with `$NAME` and
 * `${NAME}` filled in; `$$` is a dollar and `$!` an exclamation mark.
 */
export async function resolveValue(
  text: string,
  env: KeyEnvironment["env"],
  run: KeyEnvironment["run"],
): Promise<Result<string, "credential">> {
  if (text.startsWith("!"))
    return (await run?.(text.slice(1))) ?? fail("credential", "a command, which is run when the vendor is used");
  const set = (name: string) => (Object.hasOwn(env, name) && env[name]) || undefined;
  const whole = set(text);
  if (whole !== undefined) return ok(whole);
  let missing: string | undefined;
  const filled = text.replace(
    /\$(?:([$!])|(\w+)|\{(\w+)\})/g,
    (_, mark: string | undefined, bare: string | undefined, braced: string | undefined) => {
      if (mark) return mark;
      const name = bare ?? braced ?? "";
      const value = set(name);
      if (value === undefined) missing ??= name;
      return value ?? "";
    },
  );
  return missing === undefined ? ok(filled) : fail("credential", `${missing} is not set, which models.yml asks for`);
}
