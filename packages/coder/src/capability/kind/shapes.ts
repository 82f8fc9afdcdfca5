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
  tool: ToolData;
  /** A line of another agent's permissions, like `deny: Bash(git push:*)`. */
  permission: { verdict: string };
  hook: HookData;
  extension: { entry: string };
  mcp: Server;
  lsp: LanguageServer;
  ssh: { host: string; user?: string | undefined; port?: number | undefined; key?: string | undefined; about: string };
  theme: { text: string };
}

/** A tool of the user's or a project's own. */
export interface ToolData {
  description: string;
  runs: "module" | "script" | "declared";
  /** Its command line, if pith runs it. */
  line?: string | undefined;
  /** JSON schema of its arguments. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Seconds that a call may take. */
  timeout?: number | undefined;
  /** Set if it is pith's own sort, which may be run. */
  own?: true | undefined;
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

export type Interrupts = "always" | "prose-only" | "tool-only" | "never";

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
