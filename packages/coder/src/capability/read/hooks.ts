import { basename, dirname } from "node:path";
import { isRecord, shellQuote } from "@pith/kit";
import type { Candidate, Reader } from "../item.ts";
import type { HookData } from "../kind/kind.ts";
import { rowsOf, strange, textIn, textsIn } from "../parse.ts";
import { type Fields, rowsIn } from "./things.ts";
import { itemName } from "./words.ts";

/** Hooks below the key `hooks`: by event, a list of rows with a command, or with a matcher and several. */
const hooksIn =
  (dialect: HookData["dialect"]): Reader<"hook"> =>
  (text, at) =>
    mended(
      text,
      dialect,
      rowsIn<"hook">(
        { event: "", matcher: "", runs: "" },
        ({ hooks, disableAllHooks }) => (disableAllHooks === true ? {} : hooks),
        (rows, event) =>
          (Array.isArray(rows) ? (rows as unknown[]) : []).flatMap((row) => groupOf(row, { event, dialect })),
      )(text, at),
    );

/** A file that is broken, and in which guards stand, is a guard that cannot be read. */
function mended(text: string, dialect: HookData["dialect"], found: readonly Candidate<"hook">[]) {
  if (found[0]?.wrong === undefined || found[0].data.event !== "" || !text.includes("PreToolUse")) return found;
  return [{ ...found[0], data: { event: "PreToolUse", matcher: "*", runs: "", dialect } }];
}

interface Where {
  event: string;
  dialect: HookData["dialect"];
}

function groupOf(row: unknown, where: Where): Candidate<"hook">[] {
  if (!isRecord(row)) return [broken(where, "*", "a row of it is no group of fields")];
  const matcher = textIn(row.matcher) ?? "*";
  const inner = Array.isArray(row.hooks) ? (row.hooks as unknown[]) : [row];
  return inner.map((hook) =>
    isRecord(hook) ? hookOf(hook, matcher, where) : broken(where, matcher, "a hook of it is no group of fields"),
  );
}

const broken = ({ event, dialect }: Where, matcher: string, wrong: string): Candidate<"hook"> => ({
  name: `${event}:${matcher}`,
  data: { event, matcher, runs: "", dialect },
  wrong,
});

/** Hooks in the words of Claude Code, which Codex shares. */
export const claudeHooks = hooksIn("claude");
/** Hooks of other products, which are only listed. */
export const listedHooks = hooksIn(undefined);

const hookFields = [
  ...["command", "bash", "powershell", "type", "timeout", "timeoutSec", "matcher", "hooks", "name", "if", "async"],
  ...["url", "headers", "allowedEnvVars", "prompt", "model", "statusMessage", "once", "description"],
];

function hookOf(hook: Fields, matcher: string, { event, dialect }: Where): Candidate<"hook"> {
  const type = textIn(hook.type) ?? "command";
  const how = ways.find((way) => way === type);
  const timeout = hook.timeout ?? hook.timeoutSec;
  const runs = textIn(hook[textFields[how ?? "command"]] ?? hook.bash) ?? "";
  const data = withoutUndefined({
    event,
    matcher,
    runs,
    timeoutMs: secondsIn(timeout),
    dialect,
    how,
    condition: textIn(hook.if),
    background: hook.async === true ? true : undefined,
    headers: textsIn(hook.headers),
    passes: Array.isArray(hook.allowedEnvVars) ? hook.allowedEnvVars.map(String) : undefined,
    model: textIn(hook.model),
  });
  const name = `${event}:${matcher}:${textIn(hook.name) ?? runs}`;
  const wrong = wrongIn(data, type) ?? (isSeconds(timeout) ? undefined : "its timeout is no number of seconds");
  return { name, data, unmapped: strange(hook, hookFields), wrong };
}

const ways = ["command", "http", "prompt"] as const;
const textFields = { command: "command", http: "url", prompt: "prompt" } as const;

/** A field without a value would make the bytes that a yes is for depend on which fields pith knows. */
const withoutUndefined = (data: HookData): HookData =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as unknown as HookData;

function wrongIn({ runs, how, matcher }: HookData, type: string): string | undefined {
  if (how === undefined) return `it is of the type ${type}, which pith does not know`;
  if (runs === "") return `it names no ${how === "http" ? "address" : how}`;
  if (how === "http" && !/^https?:\/\//.test(runs)) return "its address is none of http or https";
  return matcherProblem(matcher);
}

/** A matcher of letters and bars is a list of names, any other a pattern. */
export const isPlainMatcher = (matcher: string): boolean => /^[\w |,-]*$/.test(matcher) || matcher === "*";

function matcherProblem(matcher: string): string | undefined {
  if (isPlainMatcher(matcher)) return undefined;
  try {
    new RegExp(matcher);
    return undefined;
  } catch {
    return "its matcher is no regular expression";
  }
}

const isSeconds = (value: unknown): boolean =>
  value === undefined || (typeof value === "number" && Number.isFinite(value) && value > 0);
const secondsIn = (value: unknown): number | undefined =>
  typeof value === "number" && isSeconds(value) ? value * 1000 : undefined;

/** Reads a file in `hooks/pre` or `hooks/post` of another product. Its name up to a dot or dash is its tool. */
export const hookFile: Reader<"hook"> = (_, at) => {
  const event = basename(dirname(at.path));
  const [tool = "*"] = itemName(at).split(/[.-]/);
  return [{ name: `${event}:${tool}:${basename(at.path)}`, data: { event, matcher: tool, runs: at.path } }];
};

/** Reads a program in pith's own `hooks/pre` or `hooks/post`, for the tool that its name begins with. */
export const ownHookFile: Reader<"hook"> = (text, at) =>
  hookFile(text, at).map((found) => {
    const { event, matcher, runs } = found.data;
    if (/\.[cm]?[jt]s$/.test(at.path)) return found;
    const data: HookData = {
      event: event === "pre" ? "call" : "result",
      matcher,
      runs: shellQuote(runs),
      dialect: "pith",
      how: "command",
    };
    return { ...found, data };
  });

const ownFields = ["on", "match", "run", "timeout", "name", "async"];

/** Reads `hooks.yml`: a list of rows with `on`, `run`, and perhaps `match`, `timeout`, `name`, `async`. */
export const ownHooks: Reader<"hook"> = (text) => {
  const rows = rowsOf(text);
  if (rows.ok) return rows.value.map((row, at) => ownRow(row, `row ${at + 1}`));
  const data: HookData = { event: "call", matcher: "*", runs: "", dialect: "pith" };
  return [{ name: "hooks.yml", data, line: rows.line, wrong: rows.text }];
};

function ownRow(row: unknown, where: string): Candidate<"hook"> {
  const fields = isRecord(row) ? row : {};
  const { on, match, run, timeout, name, async } = fields;
  const event = textIn(on) ?? "call";
  const matcher = textIn(match) ?? "*";
  const runs = Array.isArray(run) ? run.map((word) => shellQuote(String(word))).join(" ") : (textIn(run) ?? "");
  const data = withoutUndefined({
    event,
    matcher,
    runs,
    timeoutMs: secondsIn(timeout),
    dialect: "pith",
    how: "command",
    background: async === true ? true : undefined,
  });
  const wrong = isRecord(row) ? ownProblem(data, { on, timeout }) : "is no group of fields";
  return {
    name: textIn(name) ?? `${event}:${matcher}:${runs}`,
    data,
    unmapped: strange(fields, ownFields),
    wrong: wrong && `${where} ${wrong}`,
  };
}

function ownProblem({ runs, matcher }: HookData, { on, timeout }: Fields): string | undefined {
  if (on === undefined) return "does not say on what";
  if (runs === "") return "runs nothing";
  if (matcherProblem(matcher)) return "has a match that is no regular expression";
  return isSeconds(timeout) ? undefined : "has a timeout that is no number of seconds";
}
