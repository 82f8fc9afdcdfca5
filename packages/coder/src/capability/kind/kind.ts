import type { Condition } from "../read/condition.ts";

/** Data of each kind of capability, in the same form for all products. */
export interface Shapes {
  /** Instructions for agents about a folder. Of several for one folder the first counts, and those with `adds`. */
  context: { folder: string; text: string; adds?: true };
  /** Text in place of the system prompt, behind it, or for titles. */
  system: { part: "system" | "append" | "title"; text: string };
  skill: { description: string; folder: string; hidden: boolean; body: string };
  command: Template;
  prompt: Template;
  rule: RuleData;
  agent: Agent;
  tool: { description: string; runs: "module" | "script" | "declared" };
  /** A line of another agent's permissions, like `deny: Bash(git push:*)`. */
  permission: { verdict: string };
  hook: HookData;
  extension: { entry: string };
  mcp: Server;
  lsp: LanguageServer;
  ssh: { host: string; user?: string | undefined; port?: number | undefined; key?: string | undefined; about: string };
  theme: { text: string };
}

/** A program that is asked, or told, at some point of a conversation. */
export interface HookData {
  event: string;
  /** The calls or causes that it is for, in the words of its product. */
  matcher: string;
  /** A command line, an address, or the words for a model; empty if there is none. */
  runs: string;
  timeoutMs?: number | undefined;
  /** The product whose words it reads and answers with; without one pith does not use it. */
  dialect?: "claude" | "pith" | undefined;
  how?: "command" | "http" | "prompt" | undefined;
  /** A narrower condition than the matcher, as `Bash(git push *)`. */
  condition?: string | undefined;
  /** Set if nobody waits for it. */
  background?: true | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Names of variables that its headers may hold. */
  passes?: readonly string[] | undefined;
  model?: string | undefined;
  /** The folder of the plugin that brings it. */
  plugin?: string | undefined;
}

/** A rule. One with `watch` is told to the model when it is broken, and not before. */
export interface RuleData {
  description: string;
  globs: readonly string[];
  always: boolean;
  text: string;
  watch?: Watching | undefined;
}

/** Patterns that a rule looks for in the output of a model, and in which streams. */
export interface Watching {
  conditions: readonly Condition[];
  /** Patterns of code by its structure. */
  patterns: readonly string[];
  scopes: readonly WatchScope[];
  interrupts?: Interrupts | undefined;
}

/** A stream: answers, thinking, or the arguments of calls, of all tools or of one, perhaps for some files only. */
export type WatchScope =
  | { of: "text" | "thinking" }
  | { of: "tool"; tool?: string | undefined; files?: string | undefined };

export const interrupting = ["always", "prose-only", "tool-only", "never"] as const;
export type Interrupts = (typeof interrupting)[number];

/** A text with placeholders that a person calls by its name. */
export interface Template {
  description: string;
  hint: string;
  body: string;
  /** The syntax of arguments and embedded commands. */
  style: "pith" | "claude" | "gemini";
}

export interface Agent {
  description: string;
  prompt: string;
  tools?: readonly string[] | undefined;
  spawns?: "*" | readonly string[] | undefined;
  model?: readonly string[] | undefined;
  thinking?: string | undefined;
  output?: unknown;
  blocking?: boolean | undefined;
  skills?: readonly string[] | undefined;
  readSummarize?: boolean | undefined;
}

export interface Server {
  transport: "stdio" | "http" | "sse";
  command?: string | undefined;
  args?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  cwd?: string | undefined;
  url?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  timeoutMs?: number | undefined;
}

export interface LanguageServer {
  command: string;
  args: readonly string[];
  /** Endings of file names, with their dot. */
  files: readonly string[];
  roots: readonly string[];
  env?: Readonly<Record<string, string>> | undefined;
  options?: unknown;
  settings?: unknown;
}

export type CapabilityKind = keyof Shapes;

/** Rules that hold for all items of a kind. */
export interface KindSpec<K extends CapabilityKind> {
  /** Its name for several items. */
  plural: string;
  /** Set while pith finds and lists items of this kind without using them: all, or those with a reason. */
  unused?: true | ((data: Shapes[K]) => string | undefined);
  /** True when an item executes, sends or opens something. An item of a project then waits for the user's yes. */
  executes: boolean | ((data: Shapes[K]) => boolean);
  /** Returns the key under which only one item counts; without it, that is the name. */
  key?(name: string, data: Shapes[K], level: "project" | "user"): string;
  /** Returns the command line of an item; a yes to it covers the files of the project that the line names. */
  line?(data: Shapes[K], file: string): string | undefined;
  /** Returns what is wrong with an item. */
  check?(name: string, data: Shapes[K]): string | undefined;
}

/** Why pith does not use an item; undefined if it does. */
export function unusedWhy<K extends CapabilityKind>(kind: K, data: Shapes[K]): string | undefined {
  const { unused } = kinds[kind] as KindSpec<K>;
  return unused === true ? "pith does not use it yet" : unused?.(data);
}

const called = (name: string): string | undefined =>
  /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,63}$/u.test(name)
    ? undefined
    : "its name must be letters, digits, dots, dashes, colons";
const described = (name: string, { description }: { description: string }): string | undefined =>
  called(name) ?? (description === "" ? "it has no description" : undefined);
const filled = (_: string, { text }: { text: string }): string | undefined =>
  text.trim() === "" ? "it is empty" : undefined;
const template: KindSpec<"command" | "prompt"> = {
  plural: "commands",
  executes: ({ style, body }) => style !== "pith" && hasEmbedded(body),
  check: (name, { body }) => called(name) ?? (body.trim() === "" ? "it is empty" : undefined),
};

/** The points at which hooks are asked, in the words of each product. */
const hookEvents = {
  claude: new Set([
    ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "SubagentStart", "SubagentStop"],
    ...["SessionStart", "SessionEnd", "PreCompact", "PostCompact", "Notification", "PermissionRequest"],
  ]),
  pith: new Set(["call", "result", "input", "settle", "session", "question", "compact", "navigate"]),
} as const satisfies Readonly<Record<string, ReadonlySet<string>>>;

/** All kinds. */
export const kinds: { readonly [K in CapabilityKind]: KindSpec<K> } = {
  context: {
    plural: "context files",
    executes: false,
    // An empty file does not take the place of another.
    key(name, { folder, text, adds }, level) {
      if (text === "" || adds) return `${text === "" ? "empty" : "added"} ${folder}/${name}`;
      return level === "user" ? "user" : folder;
    },
  },
  system: { plural: "system prompts", executes: false, key: (_, { part }) => part, check: filled },
  skill: { plural: "skills", executes: false, check: described },
  command: template,
  prompt: { ...template, plural: "prompts" },
  rule: { plural: "rules", executes: false, check: (name, data) => called(name) ?? filled(name, data) },
  agent: { plural: "agents", unused: true, executes: false, check: described },
  tool: { plural: "tools", unused: true, executes: true, check: called },
  permission: { plural: "permissions", unused: true, executes: false },
  hook: {
    plural: "hooks",
    unused: ({ dialect, event }) =>
      dialect === undefined
        ? "it guards nothing here"
        : hookEvents[dialect].has(event)
          ? undefined
          : `pith never fires ${event}`,
    executes: true,
    // One that cannot be read still stands in its place: it refuses what it was meant to judge.
    key: (name, { matcher, condition, how }) => JSON.stringify([name, matcher, condition, how]),
    line: ({ how, runs }) => (how === "command" ? runs : undefined),
  },
  extension: { plural: "extensions", unused: true, executes: true },
  mcp: {
    plural: "MCP servers",
    unused: true,
    executes: true,
    check: (name, { command, url, transport }) =>
      called(name) ??
      (transport === "stdio"
        ? command === undefined
          ? "it names neither a command nor an address"
          : undefined
        : url === undefined
          ? "it names no address"
          : undefined),
  },
  lsp: {
    plural: "language servers",
    unused: true,
    executes: true,
    check: (_, { command }) => (command === "" ? "it names no command" : undefined),
  },
  ssh: {
    plural: "ssh hosts",
    unused: true,
    executes: true,
    check: (_, { host }) => (host === "" ? "it names no host" : undefined),
  },
  theme: { plural: "themes", executes: false, check: called },
};

export const kindNames: readonly CapabilityKind[] = Object.keys(kinds) as CapabilityKind[];

/** True when a template may run commands of its own: a `!` before a backtick or a brace. */
const hasEmbedded = (body: string): boolean => /!`[^`\n]|!\{[^}\n]/.test(body);

/** Letters of other scripts and digits, with the Latin letters that they look like. */
const like = new Map(
  [..."аaсcеeһhіiјjӏlоoԛqѕsхxуyрpԁdԝwкkмmтtвbнhгrпnиuαaεeιiοoκkνvρpτtυuχxηnıi0o1l"].flatMap((sign, at, all) =>
    at % 2 === 0 ? [[sign, all[at + 1] ?? ""] as const] : [],
  ),
);

/** Returns a name as a quick reader sees it: names that look the same give the same text. */
export const looksOf = (name: string): string =>
  [...name.normalize("NFKC").toLowerCase()].map((sign) => like.get(sign) ?? sign).join("");
