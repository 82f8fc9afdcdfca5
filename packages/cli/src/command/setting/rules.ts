import { resolve } from "node:path";
import { loadCapabilities, loadRules, openSettings, openTrust } from "@pith/coder";
import { fail, nearest, ok, plainText, type Result, readPlain, showPath } from "@pith/kit";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { readPiped } from "../../prompt/stdin.ts";
import { type Column, printColumns } from "../list.ts";
import { subcommand } from "../subcommand.ts";

const maxBytes = 16 * 1024 * 1024;

/** Lists the rules; `test` shows what one of them finds in a text. */
export const rules = subcommand({
  usage: "[list | test <rule> [<file>]]",
  about: "list and test rules",
  help: "rules",
  options: { json: { takes: "nothing", about: "as JSON" } },
  words: ["list", "test"],
  maxWords: 3,
  async run({ flags, words: [action = "list", name, file] }, io) {
    const form = flags.json ? "json" : "text";
    if (action === "list" && name === undefined) return list(form, io);
    return action === "test" && name !== undefined ? tried(name, file, form, io) : "usage";
  },
});

async function capabilitiesIn(io: Io) {
  const { cwd, home, userHome, env } = io;
  const settings = await openSettings({ cwd, home, wrong: "is ignored" });
  if (!settings.ok) return settings;
  const { openCapabilities } = await loadCapabilities();
  const capabilities = openCapabilities({ cwd, home, userHome, env, settings: settings.value, trust: openTrust(io) });
  return ok({ capabilities, on: settings.value.get("ttsr.enabled") });
}

const columns: readonly Column[] = [
  { head: "rule" },
  { head: "state" },
  { head: "told" },
  { head: "from" },
  { head: "looks for", gives: true },
];

async function list(form: "json" | "text", io: Io): Promise<number> {
  const opened = await capabilitiesIn(io);
  if (!opened.ok) return usage(io, opened.message);
  const { capabilities, on } = opened.value;
  const { all, warnings } = capabilities.of("rule");
  for (const warning of warnings) complain(io, warning);
  const rows = all.map(({ name, source, state, why, file, data: { watch, always, globs, description } }) => {
    const told = watch && on ? "when broken" : always ? "always" : globs.length > 0 ? "for files" : "by name";
    const looks = [...(watch?.conditions.map((one) => one.source) ?? []), ...(watch?.patterns ?? [])];
    return { name, source, state, why, file, told, globs, description, looks };
  });
  if (form === "json") for (const row of rows) io.out.write(jsonLine(row, io));
  else {
    const cells = rows.map(({ name, state, why, told, source, looks }) => {
      return [name, why === undefined ? state : `${state}: ${why}`, told, source, looks.join("  ")];
    });
    await printColumns(columns, cells, io);
  }
  return exit.finished;
}

/** Exits like a search: 0 when something was found. */
async function tried(name: string, file: string | undefined, form: "json" | "text", io: Io): Promise<number> {
  const opened = await capabilitiesIn(io);
  if (!opened.ok) return usage(io, opened.message);
  const { capabilities } = opened.value;
  const { all } = capabilities.of("rule");
  const item = all.find((one) => one.name === name && one.state === "active") ?? all.find((one) => one.name === name);
  if (!item) {
    const meant = nearest(
      name,
      all.map((one) => one.name),
    );
    return usage(io, `there is no rule ${name}${meant ? `; did you mean ${meant}?` : ""}`);
  }
  if (!item.data.watch)
    return usage(io, `${name} looks for nothing: it has no condition that can be used (${item.file})`);
  const path = file === undefined ? undefined : resolve(io.cwd, file);
  const text = await textOf(path, io);
  if (!text.ok) return usage(io, text.message);
  const { tryRule, otherFiles } = await loadRules();
  const others = path === undefined ? [] : otherFiles(item, path, capabilities.files);
  if (others.length > 0) complain(io, `${name} is not for this file: it is for ${[...new Set(others)].join(", ")}`);
  const { found: places, wrong } = await tryRule(item, text.value, path);
  for (const why of wrong) complain(io, `${name}: ${why}`);
  if (path === undefined && item.data.watch.patterns.length > 0)
    complain(io, `${name}: what astCondition looks for is found in a file that is named only`);
  const shown = path === undefined ? "-" : showPath(io.cwd, path);
  for (const { line, column, text: row, condition } of places)
    io.out.write(
      form === "json"
        ? jsonLine({ file: shown, line, column, text: row, condition }, io)
        : plainText(`${shown}:${line}:${column}: ${row}\n`),
    );
  if (places.length === 0 && form === "text") complain(io, `${name} finds nothing`);
  return places.length > 0 ? exit.finished : exit.unfinished;
}

/** The text of a file, or of standard input. */
async function textOf(path: string | undefined, io: Io): Promise<Result<string, "usage">> {
  if (path === undefined) {
    const piped = await readPiped(io.input, { prompt: "missing", onSilence: () => {} });
    if (!piped.ok) return piped;
    return piped.value === undefined ? fail("usage", "name a file, or pipe a text in") : ok(piped.value);
  }
  const read = readPlain(path, { maxBytes });
  return read.ok ? read : fail("usage", `${path}: ${read.message}`);
}
