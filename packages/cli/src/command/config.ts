import {
  checkText,
  expected,
  isKey,
  type Key,
  keys,
  type Origin,
  openSettings,
  type Settings,
  specOf,
} from "@pith/coder";
import { showPath } from "@pith/kit";
import { noSuch } from "../argv/unknown.ts";
import { exit } from "../io/interrupt.ts";
import { complain, type Io, usage } from "../io/io.ts";
import type { Command } from "./command.ts";

type Action = (settings: Settings, words: readonly string[], io: Io) => number | Promise<number>;

const actions: Record<string, { words: string; run: Action }> = {
  list: { words: "", run: list },
  get: { words: "<key>", run: get },
  set: { words: "<key> <value>", run: set },
  unset: { words: "<key>", run: unset },
  path: { words: "", run: path },
};

/** `pith config`: shows settings with where they come from, and changes those of the user. */
export const config: Command = async (argv, io) => {
  const [name = "list", ...words] = argv;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) return usage(io, noSuch("action", name, Object.keys(actions)));
  const wanted = action.words === "" ? 0 : action.words.split(" ").length;
  if (words.length !== wanted) return usage(io, `usage: pith config ${name} ${action.words}`.trimEnd());
  const settings = await openSettings({ cwd: io.cwd, home: io.home });
  if (!settings.ok) return usage(io, settings.message);
  for (const warning of settings.value.warnings) complain(io, warning);
  const [key] = words;
  if (key !== undefined && !isKey(key)) return usage(io, noSuch("setting", key, keys));
  return action.run(settings.value, words, io);
};

function list(settings: Settings, _: readonly string[], io: Io): number {
  const rows = keys.map(
    (key) => [key, show(settings.get(key)), originOf(settings.origin(key), io), specOf(key).about] as const,
  );
  const width = (column: 0 | 1 | 2) => Math.max(...rows.map((row) => row[column].length)) + 2;
  const [first, second, third] = [width(0), width(1), width(2)];
  for (const [key, value, origin, about] of rows)
    io.out.write(`${key.padEnd(first)}${value.padEnd(second)}${origin.padEnd(third)}${about}\n`);
  return exit.finished;
}

function get(settings: Settings, [key]: readonly string[], io: Io): number {
  const value = settings.get(key as Key);
  if (value !== undefined) io.out.write(`${value}\n`);
  return exit.finished;
}

function set(settings: Settings, [key, text = ""]: readonly string[], io: Io): number | Promise<number> {
  const value = checkText(key as Key, text);
  if (!value.ok) return usage(io, `${key}: expected ${expected(specOf(key as Key))}, found ${JSON.stringify(text)}`);
  settings.set(key as Key, value.value);
  return save(settings, key as Key, io);
}

function unset(settings: Settings, [key]: readonly string[], io: Io): Promise<number> {
  settings.set(key as Key, undefined);
  return save(settings, key as Key, io);
}

function path(settings: Settings, _: readonly string[], io: Io): number {
  io.out.write(`${settings.file}\n`);
  return exit.finished;
}

async function save(settings: Settings, key: Key, io: Io): Promise<number> {
  const saved = await settings.flush();
  if (!saved.ok) {
    complain(io, saved.message);
    return exit.unfinished;
  }
  const origin = settings.origin(key);
  if (origin.layer === "project")
    complain(io, `saved, but ${origin.file} sets ${key} to ${show(settings.get(key))} in this directory`);
  return exit.finished;
}

const show = (value: unknown): string => (value === undefined ? "-" : String(value));

const originOf = (origin: Origin, io: Io): string => ("file" in origin ? showPath(io.cwd, origin.file) : origin.layer);
