import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  checkText,
  expected,
  isKey,
  type Key,
  keys,
  loadForeign,
  noSetting,
  type Origin,
  type Settings,
  sortedKeys,
  specOf,
} from "@pith/coder";
import { plainText, showPath } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { noSuch } from "../../argv/unknown.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, unfinished, usage } from "../../io/io.ts";
import { overridesOf } from "../../open/override.ts";
import { settingsIn } from "../../open/setting.ts";
import { inColumns, inRows, printList, roomOf } from "../list.ts";
import type { Subcommand, ThirdWords } from "../subcommand.ts";

interface ConfigAction {
  words: string;
  run(settings: Settings, words: readonly string[], io: Io): number | Promise<number>;
}

const actions: Record<string, ConfigAction> = {
  list: { words: "", run: list },
  get: { words: "<key>", run: get },
  set: { words: "<key> <value>", run: set },
  unset: { words: "<key>", run: unset },
  path: { words: "", run: path },
  explain: { words: "<key>", run: explain },
  edit: { words: "", run: edit },
  import: { words: "omp|pi", run: importFrom },
};
const names = Object.keys(actions);

/**
 * Shows settings with their origin, and changes those of the user, wrong ones too. Behind `set` nothing is an option: a
 * value may begin with a dash.
 */
export const config: Subcommand = {
  usage: "[list|get|set|unset|explain|edit|import|path]",
  about: "show and change settings",
  help: "config",
  options: { config: launchFlags.config },
  words: () => Object.fromEntries(names.map((name) => [name, secondWords(name)])),
  third: settingValues,
  async run(argv, io) {
    const { files, rest } = withoutFiles(argv);
    const [name = "list", ...words] = rest;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action && isKey(name))
      return usage(io, `say what to do with it: pith config ${words.length > 0 ? "set" : "get"} ${rest.join(" ")}`);
    if (!action) return usage(io, noSuch("action", name, names));
    const wanted = action.words === "" ? 0 : action.words.split(" ").length;
    if (words.length !== wanted) return usage(io, `usage: pith config ${name} ${action.words}`.trimEnd());
    if (files.some((file) => file === "")) return usage(io, "--config needs a file");
    const settings = await opened(io, files);
    if (!settings.ok) return usage(io, settings.message);
    const [key] = words;
    const strange = name === "unset" ? settings.value.strange : [];
    if (key !== undefined && name !== "import" && !isKey(key) && !strange.includes(key)) return usage(io, noKey(key));
    return action.run(settings.value, words, io);
  },
};

const secondWords = (name: string): readonly string[] =>
  /get|set|explain/.test(name) ? keys : name === "import" ? ["omp", "pi"] : [];

/** The values of settings with few of them; settings with the same values stand together. */
function settingValues(): ThirdWords[] {
  const by = Map.groupBy(keys, (key) => {
    const spec = specOf(key);
    return spec.type === "choice" ? spec.values.join(" ") : spec.type === "switch" ? "true false" : "";
  });
  by.delete("");
  return [...by].map(([words, second]) => ({ first: "set", second, words: words.split(" ") }));
}

/** Takes out the files of `--config`. */
function withoutFiles(argv: readonly string[]): { files: string[]; rest: string[] } {
  const files: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (rest[0] === "set") rest.push(word);
    else if (word === "--config") files.push(argv[++at] ?? "");
    else if (word.startsWith("--config=")) files.push(word.slice("--config=".length));
    else rest.push(word);
  }
  return { files, rest };
}

/** The settings as a start with these files and this environment would have them. */
function opened(io: Io, files: readonly string[] = []) {
  const fromEnvironment = overridesOf({}, io);
  const overrides = fromEnvironment.ok ? fromEnvironment.value : {};
  const overlays = files.map((file) => resolve(io.cwd, file));
  return settingsIn(io, { cwd: io.cwd, overlays, overrides, wrong: "is ignored" });
}

function noKey(key: string): string {
  const inside = keys.filter((one) => one.startsWith(`${key}.`));
  return inside.length > 0 ? `${key} is a group of settings: ${inside.join(", ")}` : noSetting(key);
}

/** Tells what is wrong; the exit code is the one that a start would have. */
function told({ problems, warnings }: Settings, io: Io): number {
  for (const line of [...problems, ...warnings]) complain(io, line);
  return problems.length > 0 ? exit.usage : exit.finished;
}

async function list(settings: Settings, _: readonly string[], io: Io): Promise<number> {
  const code = told(settings, io);
  const rows = sortedKeys().map(
    (key) => [key, show(settings.get(key)), originOf(settings.origin(key), io), specOf(key).about] as const,
  );
  const widest = (at: 0 | 1) => Math.max(...rows.map((row) => row[at].length));
  const narrow = widest(0) + 2 + widest(1) > roomOf(io);
  const heads = ["setting", "value", "from", "meaning"].map((head) => ({ head }));
  // The value matters most: where it does not fit beside the names, it gets as many rows as it needs.
  const lines = narrow
    ? rows.flatMap(([key, value, from]) => inRows(`${key}: ${value}${from === "default" ? "" : `  (${from})`}`, io))
    : inColumns(heads, rows, io);
  await printList(lines, io);
  return code;
}

function get(settings: Settings, [key]: readonly string[], io: Io): number {
  const code = told(settings, io);
  const value = settings.get(key as Key);
  if (value !== undefined) io.out.write(`${show(value)}\n`);
  return code;
}

function set(settings: Settings, [key, text = ""]: readonly string[], io: Io): number | Promise<number> {
  const value = checkText(key as Key, text);
  if (!value.ok) return usage(io, `${key}: expected ${expected(specOf(key as Key))}, found ${JSON.stringify(text)}`);
  settings.set(key as Key, value.value);
  return save(settings, key as Key, io);
}

function unset(settings: Settings, [key = ""]: readonly string[], io: Io): Promise<number> {
  if (isKey(key)) settings.set(key, undefined);
  else settings.drop(key);
  return save(settings, key, io);
}

function path(settings: Settings, _: readonly string[], io: Io): number {
  io.out.write(`${settings.file}\n`);
  return exit.finished;
}

async function save(settings: Settings, key: string, io: Io): Promise<number> {
  const saved = await settings.flush();
  if (!saved.ok) return unfinished(io, saved.message);
  const now = await opened(io);
  const wrong = now.ok && now.value.problems.length + now.value.warnings.length > 0;
  // Faults that stay are named, so that nobody believes them fixed.
  if (wrong) complain(io, `${settings.file} is changed; what is still wrong:`);
  if (now.ok) told(now.value, io);
  const origin = isKey(key) ? settings.origin(key) : undefined;
  if (isKey(key) && origin?.layer === "project")
    complain(io, `saved, but ${origin.file} sets ${key} to ${show(settings.get(key))} in this directory`);
  if (isKey(key) && (origin?.layer === "overlay" || origin?.layer === "override"))
    complain(io, `saved, but ${originOf(origin, io)} sets ${key} to ${show(settings.get(key))} now`);
  return exit.finished;
}

/** Shows every layer that sets a key, with file and line; the first one counts. */
async function explain(settings: Settings, [key]: readonly string[], io: Io): Promise<number> {
  const code = told(settings, io);
  const { about, applies } = specOf(key as Key);
  const from = applies === "now" ? "at once" : `from the next ${applies ?? "session"} on`;
  const rows = (await settings.explain(key as Key)).map(({ origin, value, line }, at) => {
    const file = "file" in origin ? showPath(io.cwd, origin.file) : undefined;
    return [
      at === 0 ? "*" : "",
      show(value),
      layerName(origin),
      file === undefined ? "" : line ? `${file}:${line}` : file,
    ];
  });
  const heads = ["", "value", "layer", "where"].map((head) => ({ head }));
  await printList([...inRows(`${key}: ${about} A change counts ${from}.`, io), ...inColumns(heads, rows, io)], io);
  return code;
}

/** Opens the user's file in their editor, then tells what is wrong in it. */
async function edit(settings: Settings, _: readonly string[], io: Io): Promise<number> {
  const editor = io.env.VISUAL || io.env.EDITOR || "vi";
  mkdirSync(dirname(settings.file), { recursive: true, mode: 0o700 });
  if (!existsSync(settings.file))
    writeFileSync(settings.file, "# pith config list shows every setting\n", { flag: "wx", mode: 0o600 });
  const child = Bun.spawn(["/bin/sh", "-c", `${editor} "$1"`, "sh", settings.file], {
    stdio: ["inherit", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) return unfinished(io, `${editor} did not end well`);
  const now = await opened(io);
  return now.ok ? told(now.value, io) : usage(io, now.message);
}

/** Takes over the settings of omp or pi that pith has too, and names the others. */
async function importFrom(settings: Settings, [program = ""]: readonly string[], io: Io): Promise<number> {
  if (program !== "omp" && program !== "pi") return usage(io, "usage: pith config import omp|pi");
  const found = await (await loadForeign()).readForeign(
    settings.table,
    { userHome: io.userHome, piHome: io.env.PI_CODING_AGENT_DIR },
    program,
  );
  if (found.files.length === 0) return unfinished(io, `no settings of ${program} were found`);
  const rows: string[] = [];
  for (const text of found.warnings) complain(io, text);
  for (const [key, value] of found.values) {
    // A value in the user's own file stays, whatever a project sets.
    const own = (await settings.explain(key)).find(({ origin }) => origin.layer === "global");
    if (!own) settings.set(key, value as never);
    rows.push(`${key}: ${show(value)}${own ? ` (kept yours: ${show(own.value)})` : ""}`);
  }
  const saved = await settings.flush();
  if (!saved.ok) return unfinished(io, saved.message);
  const lines = [
    `from ${found.files.map((file) => showPath(io.cwd, file)).join(", ")}`,
    ...(rows.length > 0 ? ["maps:", ...rows.map((row) => `  ${row}`)] : ["nothing maps"]),
    ...(found.strange.length > 0 ? ["does not map:", ...found.strange.map((name) => `  ${name}`)] : []),
  ];
  await printList(
    lines.map((line) => plainText(line)),
    io,
  );
  return exit.finished;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "-" : JSON.stringify(value);
  return value === undefined ? "-" : String(value);
}

const originOf = (origin: Origin, io: Io): string =>
  "file" in origin ? showPath(io.cwd, origin.file) : layerName(origin);

/** Only the environment overrides files here. */
const layerName = ({ layer }: Origin): string => (layer === "override" ? "environment" : layer);
