import type { CapabilityKind, Interrupts, KindSpec, Shapes } from "./shapes.ts";

export type {
  Agent,
  CapabilityKind,
  HookData,
  Interrupts,
  KindSpec,
  LanguageServer,
  Server,
  Shapes,
  Template,
  ToolData,
  Watching,
  WatchScope,
} from "./shapes.ts";

export const interrupting = ["always", "prose-only", "tool-only", "never"] as const satisfies readonly Interrupts[];

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
  tool: {
    plural: "tools",
    unused({ own, runs, line }) {
      if (!own) return "tools of other products are not run";
      if (runs === "module") return "modules are not loaded; write a script, or a file with a command";
      return line === undefined ? "it has no command" : undefined;
    },
    executes: true,
    line: ({ line }) => line,
    check: (name, { own, line, description }) => {
      if (!own || line === undefined) return called(name);
      if (!/^[\w-]{1,64}$/.test(name)) return "its name must be letters, digits, _ and -, at most 64";
      return description === "" ? "it has no description: a model would not know what it is for" : undefined;
    },
  },
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
