import { basename, dirname, relative } from "node:path";
import { isRecord } from "@pith/kit";
import type { Candidate, ConfigPath, Reader } from "../item.ts";
import type { Agent, Template } from "../kind/kind.ts";
import { dataOf, type Front, formatOf, frontOf, listIn, shortIn, strange, textIn } from "../parse.ts";
import { watchFields, watchOf } from "./watch.ts";

// Readers of texts for a model, which never run.

/** Returns a file name without its ending, after the folders below the listed one, as `folder:name`. */
export const itemName = ({ path, base = dirname(path) }: ConfigPath): string =>
  relative(base, path)
    .replace(/(?:\.(?:instructions|prompt|agent|chatmode))?\.\w+$/, "")
    .replace(/(?<=.)\/RULE$/, "")
    .replaceAll("/", ":");

const warningOf = ({ warning }: Front): Pick<Candidate<"rule">, "line" | "warning"> =>
  warning ? { line: warning.line, warning: warning.text } : {};

export const context: Reader<"context"> = (text, { path, folder }) => [
  { name: basename(path), data: { folder, text: frontOf(text).body.trim() } },
];

/** Reads instructions that are told beside others for the same folder. */
export const addedContext: Reader<"context"> = (text, at) =>
  context(text, at).map(({ data }) => ({ name: relative(at.folder, at.path), data: { ...data, adds: true } }));

const parts: Readonly<Record<string, "append" | "title">> = {
  "APPEND_SYSTEM.md": "append",
  "TITLE_SYSTEM.md": "title",
};

export const system: Reader<"system"> = (text, { path }) => [
  { name: basename(path), data: { part: parts[basename(path)] ?? "system", text: text.trim() } },
];

const skillFields = ["name", "description", "disable-model-invocation", "enabled", "license", "metadata", "version"];

/** Reads a SKILL.md. Its folder is its name, unless its front matter has one. */
export const skill: Reader<"skill"> = (text, { path }) => {
  const front = frontOf(text);
  const { fields } = front;
  return [
    {
      name: textIn(fields.name) ?? basename(dirname(path)),
      data: {
        description: shortIn(fields.description) ?? firstLine(front.body),
        folder: dirname(path),
        hidden: fields["disable-model-invocation"] === true,
        body: front.body.trim(),
      },
      ...warningOf(front),
      unmapped: strange(fields, skillFields),
      off: switchedOff(fields),
    },
  ];
};

const switchedOff = ({ enabled, disabled }: Readonly<Record<string, unknown>>): string | undefined =>
  enabled === false || disabled === true ? "its file says so" : undefined;

const templateFields = ["name", "description", "argument-hint", "argumentHint"];

/** Makes a reader of Markdown files that a person calls by their names. */
const templateOf =
  (style: Template["style"]) =>
  (text: string, at: ConfigPath): readonly Candidate<"command">[] => {
    const front = frontOf(text);
    const { fields, body } = front;
    return [
      {
        name: textIn(fields.name) ?? itemName(at),
        data: {
          description: shortIn(fields.description) ?? firstLine(body),
          hint: shortIn(fields["argument-hint"]) ?? shortIn(fields.argumentHint) ?? "",
          body: body.trim(),
          style,
        },
        ...warningOf(front),
        unmapped: strange(fields, templateFields),
      },
    ];
  };

export const template = templateOf("pith");
export const claudeTemplate = templateOf("claude");
/** Reads a template as a prompt, which is a kind of its own with the same form. */
export const promptTemplate = template as Reader<"command" | "prompt"> as unknown as Reader<"prompt">;

function firstLine(body: string): string {
  const first =
    body
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "";
  return first.length > 60 ? `${first.slice(0, 60).toWellFormed()}...` : first;
}

/** Reads a command of Gemini: TOML with `prompt` and `description`. */
export const tomlTemplate: Reader<"command"> = (text, at) => {
  const data = dataOf(text, "toml");
  const empty = { description: "", hint: "", body: "", style: "gemini" } as const;
  if (!data.ok) return [{ name: itemName(at), data: empty, line: data.line, wrong: data.text }];
  const { prompt, description, ...more } = data.value;
  const body = textIn(prompt) ?? "";
  return [
    {
      name: itemName(at),
      data: { ...empty, body, description: shortIn(description) ?? firstLine(body) },
      unmapped: Object.keys(more),
    },
  ];
};

const ruleFields = [
  ...["name", "description", "globs", "alwaysApply", "applyTo", "paths", "trigger", "enabled", ...watchFields],
];

/**
 * Makes a reader of rules. `when` says how a rule without fields is told: always, or by its name. Knows the fields of
 * all products: `globs` (Cursor, Windsurf), `applyTo` (Copilot), `paths` (Claude, Cline), `trigger`.
 */
const ruleOf =
  (when: "always" | "by name"): Reader<"rule"> =>
  (text, at) => {
    const front = frontOf(text);
    const { fields, body } = front;
    const named = [fields.globs, fields.applyTo, fields.paths].flatMap((value) => globsIn(value));
    const everywhere = named.some((glob) => glob === "**" || glob === "**/*" || glob === "*");
    const { trigger } = fields;
    const { watch, warning } = watchOf(fields, text);
    const always =
      fields.alwaysApply === true ||
      trigger === "always_on" ||
      everywhere ||
      (when === "always" && named.length === 0 && trigger === undefined && fields.alwaysApply !== false);
    return [
      {
        name: textIn(fields.name) ?? (itemName(at).replace(/^\.+/, "") || basename(at.path).replace(/^\.+/, "")),
        data: {
          description: shortIn(fields.description) ?? firstLine(body),
          globs: always && !watch ? [] : named,
          always: always && !watch,
          text: body.trim(),
          watch,
        },
        ...(warning ? { line: warning.line, warning: warning.text } : warningOf(front)),
        unmapped: strange(fields, ruleFields),
        off: trigger === "manual" ? "it is for a person to call" : switchedOff(fields),
      },
    ];
  };

export const rule = ruleOf("by name");
export const standingRule = ruleOf("always");
/** Reads the file of rules that is always told, whatever it says itself. The project's and the user's both count. */
export const stickyRule: Reader<"rule"> = (text, at) =>
  standingRule(text, at).map((one) => ({
    ...one,
    name: at.level === "project" ? `${one.name}:project` : one.name,
    data: { ...one.data, always: !one.data.watch, globs: one.data.watch ? one.data.globs : [] },
  }));

/** Reads globs, separated by commas, except within braces. */
const globsIn = (value: unknown): string[] =>
  (typeof value === "string" ? parted(value) : Array.isArray(value) ? value : []).flatMap((glob) => textIn(glob) ?? []);

function parted(text: string): string[] {
  const all = [""];
  let open = 0;
  for (const piece of text.split(/([,{}])/)) {
    if (piece === "{") open += 1;
    if (piece === "}") open = Math.max(0, open - 1);
    if (piece === "," && open === 0) all.push("");
    else all[all.length - 1] += piece;
  }
  return all;
}

const agentFields = [
  ...["name", "description", "tools", "spawns", "model", "thinkingLevel", "thinking", "thinking-level", "output"],
  ...["blocking", "autoloadSkills", "autoload-skills", "readSummarize", "read-summarize", "prompt", "disable"],
  ...["developer_instructions", "model_reasoning_effort"],
];

export const agent: Reader<"agent"> = (text, at) => {
  const front = frontOf(text);
  return [{ ...agentOf(front.fields, itemName(at), front.body.trim()), ...warningOf(front) }];
};

/** Reads an agent of Codex. */
export const tomlAgent: Reader<"agent"> = (text, at) => {
  const data = dataOf(text, formatOf(at.path));
  if (data.ok) return [agentOf(data.value, itemName(at), "")];
  return [{ name: itemName(at), data: { description: "", prompt: "" }, line: data.line, wrong: data.text }];
};

/** Makes an agent of fields. */
export function agentOf(fields: Readonly<Record<string, unknown>>, name: string, body: string): Candidate<"agent"> {
  const tools = toolsIn(fields.tools);
  const spawns = fields.spawns === "*" ? "*" : listIn(fields.spawns);
  const data: Agent = {
    description: shortIn(fields.description) ?? "",
    prompt: body || (textIn(fields.prompt) ?? textIn(fields.developer_instructions) ?? ""),
    // An agent with a list of tools must still be able to return its report.
    tools: tools && [...new Set([...tools, "yield"])],
    spawns: spawns ?? (tools?.includes("task") ? "*" : undefined),
    model: listIn(fields.model),
    thinking: textIn(
      fields.thinkingLevel ?? fields["thinking-level"] ?? fields.thinking ?? fields.model_reasoning_effort,
    ),
    output: fields.output,
    blocking: typeof fields.blocking === "boolean" ? fields.blocking : undefined,
    skills: listIn(fields.autoloadSkills ?? fields["autoload-skills"]),
    readSummarize: [fields.readSummarize, fields["read-summarize"]].includes(false) ? false : undefined,
  };
  return {
    name: textIn(fields.name) ?? name,
    data,
    unmapped: strange(fields, agentFields),
    off: fields.disable === true ? "its file says so" : switchedOff(fields),
  };
}

/** Reads a list, words between commas, or (opencode) switches by name. */
const toolsIn = (value: unknown): string[] | undefined =>
  isRecord(value) ? Object.keys(value).filter((name) => value[name] === true) : listIn(value);
