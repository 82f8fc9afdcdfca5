import { keys, specOf } from "@pith/coder";
import { loadAdmin } from "@pith/llm";
import { launchFlags } from "../../argv/flag.ts";
import type { FlagTable } from "../../argv/parse.ts";
import { type Shape, shells, type Third } from "./value.ts";

interface Row {
  usage: string;
  about: string;
  /** The table that the command itself reads its options by. */
  flags?: () => Promise<FlagTable>;
  words?: () => Shape["words"] | Promise<Shape["words"]>;
  third?: () => readonly Third[];
}

const plain = (names: readonly string[]): Shape["words"] => Object.fromEntries(names.map((name) => [name, []]));

const rows: Readonly<Record<string, Row>> = {
  launch: {
    usage: "[options] [@file ...] [prompt]",
    about: "a conversation; with -p one answer",
    flags: async () => launchFlags,
  },
  tool: {
    usage: "[<name> '<json>' | --batch]",
    about: "a built-in tool by hand, as the model would run it",
    flags: async () => (await import("../tool/tool.ts")).options,
    words: () => plain(keys.flatMap((key) => (specOf(key).group === "Tools" ? key.replace(/\.enabled$/, "") : []))),
  },
  "apply-patch": {
    usage: "['<patch>']",
    about: "a patch, as an argument or on standard input",
    flags: async () => (await import("../tool/apply-patch.ts")).options,
  },
  changes: {
    usage: "[n]",
    about: "what turns changed in this project",
    flags: async () => (await import("../session/changes.ts")).options,
  },
  undo: { usage: "", about: "take a turn back", flags: async () => (await import("../session/undo.ts")).options },
  redo: { usage: "", about: "put it back", flags: async () => (await import("../session/undo.ts")).options },
  config: {
    usage: "[list|get|set|unset|explain|edit|import|path]",
    about: "settings",
    third: settingValues,
    words: async () => {
      const { configActions } = await import("../setting/config.ts");
      return Object.fromEntries(
        configActions.map((name) => [
          name,
          /get|set|explain/.test(name) ? keys : name === "import" ? ["omp", "pi"] : [],
        ]),
      );
    },
  },
  prompt: {
    usage: "",
    about: "what a model is told before the first word, and what that weighs",
    flags: async () => (await import("../setting/prompt.ts")).options,
  },
  trust: {
    usage: "[<dir>]",
    about: "let a project's own settings count, as they stand",
    flags: async () => (await import("../setting/trust.ts")).options,
  },
  policy: {
    usage: "test '<command>' | explain --call <id>",
    about: "what pith would say to a command, and why",
    flags: async () => (await import("../setting/policy.ts")).options,
    words: () => plain(["test", "explain"]),
  },
  rules: {
    usage: "[list | test <rule> [<file>]]",
    about: "rules, and what one finds in a text",
    flags: async () => (await import("../setting/rules.ts")).options,
    words: () => plain(["list", "test"]),
  },
  serve: {
    usage: "[list|stop]",
    about: "sessions that live on while faces come and go",
    flags: async () => (await import("../server/serve.ts")).options,
    words: () => plain(["list", "stop"]),
  },
  attach: {
    usage: "[session]",
    about: "the face of a session that lives in the server",
    flags: async () => (await import("../server/attach.ts")).options,
  },
  acp: {
    usage: "",
    about: "conversations with an editor, by the Agent Client Protocol",
    flags: async () => (await import("../server/acp.ts")).options,
  },
  sandbox: {
    usage: "-- <command>",
    about: "a command behind the wall that the model's have",
    flags: async () => (await import("../tool/sandbox.ts")).options,
  },
  sessions: {
    usage: "[words]",
    about: "sessions, and what was said in them",
    flags: async () => (await import("../session/sessions.ts")).options,
  },
  session: {
    usage: "<action> <id>",
    about: "rename, pin, fork, move, delete, restore, path",
    flags: async () => (await import("../session/session.ts")).options,
    words: async () => plain((await import("../session/session.ts")).names),
  },
  jobs: {
    usage: "[list | stop <id>]",
    about: "commands that were let go on without pith",
    words: () => plain(["list", "stop"]),
  },
  models: {
    usage: "[filter | probe <model>]",
    about: "what can be used now, and why the rest cannot",
    flags: async () => (await import("../setting/models.ts")).options,
    words: () => plain(["probe"]),
  },
  auth: {
    usage: "[list | add <vendor> | remove <number> | why <vendor>]",
    about: "keys that pith keeps",
    flags: async () => (await import("../setting/auth.ts")).options,
    words: async () => {
      const vendors = (await loadAdmin()).vendorNames;
      return { list: [], add: vendors, remove: [], why: vendors };
    },
  },
  stats: {
    usage: "",
    about: "what was used and what it cost",
    flags: async () => (await import("../session/stats.ts")).options,
  },
  export: {
    usage: "<id> --html|--md|--json|--jsonl",
    about: "a session as a page, text, data or file",
    flags: async () => (await import("../session/export.ts")).options,
  },
  import: {
    usage: "claude|codex <file ...|--all>",
    about: "sessions of Claude Code or the Codex CLI",
    flags: async () => (await import("../session/import.ts")).options,
    words: () => plain(["claude", "codex"]),
  },
  replay: {
    usage: "<id>",
    about: "a recorded session without a model",
    flags: async () => (await import("../session/replay.ts")).options,
  },
  gc: {
    usage: "",
    about: "remove what nothing refers to",
    flags: async () => (await import("../session/gc.ts")).options,
  },
  gallery: {
    usage: "[<story>]",
    about: "every part of the screen, drawn once",
    flags: async () => (await import("../tool/gallery.ts")).options,
  },
  doctor: {
    usage: "",
    about: "whether all that pith needs is there",
    flags: async () => (await import("../setting/doctor.ts")).options,
  },
  completion: {
    usage: "bash|zsh|fish",
    about: "a script that completes what is typed",
    words: () => plain(shells),
  },
  help: {
    usage: "[topic]",
    about: "pages on commands and topics",
    words: async () => plain(await (await import("../help/help.ts")).helpNames()),
  },
  version: { usage: "", about: "the version" },
};

/**
 * Every command by its name; `launch` is the one without a name. Completion, the page of options and the manual are
 * made of it.
 */
export async function shapes(): Promise<ReadonlyMap<string, Shape>> {
  const read = Object.entries(rows).map(async ([name, { usage, about, flags, words, third }]) => {
    const more = { words: (await words?.()) ?? {}, third: third?.() ?? [] };
    const shape: Shape = { usage, about, flags: (await flags?.()) ?? {}, ...more };
    return [name, shape] as const;
  });
  return new Map(await Promise.all(read));
}

/** What may be set where that is one of few words: settings with the same ones stand together. */
function settingValues(): Third[] {
  const by = Map.groupBy(keys, (key) => {
    const spec = specOf(key);
    return spec.type === "choice" ? spec.values.join(" ") : spec.type === "switch" ? "true false" : "";
  });
  by.delete("");
  return [...by].map(([words, second]) => ({ first: "set", second, words: words.split(" ") }));
}

/** How a command is called. */
export const called = (name: string, { usage }: Pick<Shape, "usage">): string =>
  ["pith", ...(name === "launch" ? [] : [name]), ...(usage === "" ? [] : [usage])].join(" ");
