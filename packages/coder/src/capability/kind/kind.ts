import type { Condition } from "../read/condition.ts";

/** What each kind of capability is made of, whoever wrote it and in whichever words. */
export interface Shapes {
  /**
   * What a person or a project tells agents. `folder` is what it speaks for; of several there the first counts, and
   * those that `add` to whatever does.
   */
  context: { folder: string; text: string; adds?: true };
  /** Words in the place of our own: the whole, behind it, or for titles. */
  system: { part: "system" | "append" | "title"; text: string };
  skill: { description: string; folder: string; hidden: boolean; body: string };
  command: Template;
  prompt: Template;
  rule: Rule;
  agent: Agent;
  tool: { description: string; runs: "module" | "script" | "declared" };
  hook: { event: string; matcher: string; runs: string; timeoutMs?: number | undefined };
  extension: { entry: string };
  mcp: Server;
  lsp: LanguageServer;
  ssh: { host: string; user?: string | undefined; port?: number | undefined; key?: string | undefined; about: string };
  theme: { text: string };
}

/** Something to keep to. One that watches streams is told when it is broken, and not before. */
export interface Rule {
  description: string;
  globs: readonly string[];
  always: boolean;
  text: string;
  watch?: Watching | undefined;
}

/** What a rule looks for while a model speaks, and where. */
export interface Watching {
  conditions: readonly Condition[];
  /** Code, by its structure. */
  patterns: readonly string[];
  scopes: readonly Scope[];
  interrupts?: Interrupts | undefined;
}

/** What it watches: words, thoughts, or the arguments of calls, of all or of one, perhaps for some files only. */
export type Scope = { of: "text" | "thinking" } | { of: "tool"; tool?: string | undefined; files?: string | undefined };

export const interrupting = ["always", "prose-only", "tool-only", "never"] as const;
export type Interrupts = (typeof interrupting)[number];

/** A text with holes that a person calls by its name. */
export interface Template {
  description: string;
  hint: string;
  body: string;
  /** How arguments and embedded commands are spelled. */
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

export type Kind = keyof Shapes;

/** What is known of a kind, declared once. */
export interface KindSpec<K extends Kind> {
  /** How people call several of it. */
  plural: string;
  /** Nothing here does anything with it yet: it is found and told of, and nobody should believe that it runs. */
  unused?: true;
  /** Whether it executes, sends or opens something: then one that comes from a project waits for a yes. */
  executes: boolean | ((data: Shapes[K]) => boolean);
  /** What two of them have in common of which only one counts; the name if absent. */
  key?(name: string, data: Shapes[K], level: "project" | "user"): string;
  /** What is wrong with it. */
  check?(name: string, data: Shapes[K]): string | undefined;
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

/** Every kind there is. */
export const kinds: { readonly [K in Kind]: KindSpec<K> } = {
  context: {
    plural: "context files",
    executes: false,
    // An empty file says nothing, and leaves the place to another.
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
  hook: { plural: "hooks", unused: true, executes: true },
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

export const kindNames: readonly Kind[] = Object.keys(kinds) as Kind[];

/** Whether a template may run commands of its own: a `!` before a tick or a brace. */
const hasEmbedded = (body: string): boolean => /!`[^`\n]|!\{[^}\n]/.test(body);

/** Letters of other scripts that look like ours, and those; digits too. */
const like = new Map(
  [..."аaсcеeһhіiјjӏlоoԛqѕsхxуyрpԁdԝwкkмmтtвbнhгrпnиuαaεeιiοoκkνvρpτtυuχxηnıi0o1l"].flatMap((sign, at, all) =>
    at % 2 === 0 ? [[sign, all[at + 1] ?? ""] as const] : [],
  ),
);

/** How a name looks to somebody who reads quickly: two that look the same are taken for one. */
export const looksOf = (name: string): string =>
  [...name.normalize("NFKC").toLowerCase()].map((sign) => like.get(sign) ?? sign).join("");
