import { statSync } from "node:fs";
import type { Hooks } from "@pith/agent";
import { fail, nearest, ok, type Result } from "@pith/kit";
import { profileNames } from "@pith/llm";
import type { Around } from "./given.ts";
import type { PartRow } from "./hall/list.ts";
import type { Part } from "./hall/part.ts";
import type { Wanted } from "./model/choice.ts";
import type { OwnModel } from "./model/own.ts";
import { type Approval, approvals } from "./policy/approval.ts";
import type { SessionChoice } from "./session/record.ts";

/** Options of a conversation. Only the model is required; `given.ts` has the defaults. */
export interface CoderOptions extends Around, Omit<Wanted, "model" | "approval"> {
  /** A name as `--model` takes it, a model of the program itself, or undefined for the configured one. */
  model: string | OwnModel | undefined;
  /** The approval mode; without it, that of the settings. */
  approval?: Approval | undefined;
  /** The session that records the conversation; without it, the record is in memory. */
  session?: SessionChoice | undefined;
  /** Says more about a session that another process holds. */
  held?: ((message: string) => Promise<string | undefined>) | undefined;
  /** Parts of the program, which come after ours: tools, hooks, commands, text for the model. */
  parts?: readonly (Part | PartRow["make"])[] | undefined;
  /** Judges every call before it runs, beside our own guards. The strictest verdict counts. */
  policy?: Hooks["call"] | undefined;
}

/** Values that one option takes: in words, and as a check. */
interface Taken {
  takes: string;
  fits(value: unknown): boolean;
  /** More words for some values that people give by mistake. */
  hint?(value: unknown): string | undefined;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const isRun = (value: unknown): boolean => typeof value === "function";
const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const listOf = (fits: (item: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(fits);

const text: Taken = { takes: "text", fits: isText };
const run: Taken = { takes: "a function", fits: isRun };
const object: Taken = { takes: "an object", fits: isObject };
const yesOrNo: Taken = { takes: "true or false", fits: (value) => typeof value === "boolean" };
const folder: Taken = { takes: "the path of a directory", fits: (value) => isText(value) && value !== "" };
const amount: Taken = {
  takes: "a number above 0",
  fits: (value) => typeof value === "number" && value > 0 && !Number.isNaN(value),
};
const count: Taken = {
  takes: "a whole number from 1 on",
  fits: (value) => Number.isInteger(value) && Number(value) > 0,
};
const variables: Taken = {
  takes: "an object of texts",
  fits: (value) => isObject(value) && Object.values(value).every((item) => item === undefined || isText(item)),
};
const oneOf = (words: readonly string[]): Taken => ({
  takes: `one of ${words.join(", ")}`,
  fits: (value) => isText(value) && words.includes(value),
  hint(value) {
    const meant = isText(value) ? nearest(value, words) : undefined;
    return meant && `did you mean "${meant}"?`;
  },
});

const sessions = ["new", "none", "last", "file", "fork", "read", "storage"];

const options: Readonly<Record<keyof CoderOptions, Taken>> = {
  model: {
    takes: "a name (vendor/id), or a model of your own ({ id, stream, … })",
    fits: (value) => isText(value) || (isObject(value) && isText(value.id) && isRun(value.stream)),
  },
  approval: oneOf(approvals),
  session: {
    takes: `{ open: ${sessions.map((word) => `"${word}"`).join(" | ")} }, with a path for file, fork and read`,
    fits: (value) =>
      isObject(value) &&
      sessions.includes(value.open as string) &&
      (!/^(?:file|fork|read)$/.test(value.open as string) || isText(value.path)) &&
      (value.open !== "storage" || isObject(value.storage)),
  },
  held: run,
  parts: {
    takes: "a list of parts ({ name, tools, hooks, … }) and of functions that make one",
    fits: listOf((part) => isRun(part) || (isObject(part) && isText(part.name))),
    hint: (value) => (isObject(value) ? "put it into a list: parts: [part]" : undefined),
  },
  policy: run,
  tools: {
    takes: 'a list of names of tools, as in ["read", "search"]',
    fits: listOf(isText),
    hint(value) {
      if (isText(value)) return `did you mean [${JSON.stringify(value)}]?`;
      return Array.isArray(value) ? "tools of your own go into parts: [{ name, tools }]" : undefined;
    },
  },
  maxSteps: count,
  maxCost: amount,
  maxTokens: count,
  profile: oneOf(profileNames),
  until: text,
  cwd: folder,
  home: folder,
  userHome: folder,
  env: variables,
  commandEnv: variables,
  settings: { takes: "an object of settings by key, or what openSettings gave", fits: isObject },
  trust: object,
  clock: { takes: "an object with now()", fits: (value) => isObject(value) && isRun(value.now) },
  asks: yesOrNo,
  modes: { takes: `a list of ${approvals.join(", ")}`, fits: listOf((mode) => approvals.includes(mode as never)) },
  after: oneOf(["more", "end"]),
  face: object,
  terminal: text,
  words: object,
  editor: object,
  terminals: object,
  wire: object,
};
const names = Object.keys(options) as (keyof CoderOptions)[];

/** Checks options as a program gave them; a failure names the option, what it takes and what was found. */
export function checkOptions(given: object): Result<void, "option"> {
  if (!isObject(given)) return fail("option", `openCoder takes an object of options, found ${shown(given)}`);
  for (const [name, value] of Object.entries(given)) {
    const option = Object.hasOwn(options, name) ? options[name as keyof CoderOptions] : undefined;
    if (!option) {
      const meant = nearest(name, names);
      return fail("option", `there is no option "${name}"${meant ? `; did you mean ${meant}?` : ""}`);
    }
    if (value === undefined || option.fits(value)) continue;
    const hint = option.hint?.(value);
    return fail("option", `${name} takes ${option.takes}; found ${shown(value)}${hint ? ` (${hint})` : ""}`);
  }
  const { cwd } = given as { cwd?: string };
  return cwd === undefined || isDirectory(cwd) ? ok(undefined) : fail("option", `cwd: ${cwd} is not a directory`);
}

function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : (JSON.stringify(value) ?? String(value));
}
