import type { Artifacts, Tool } from "@pith/agent";
import { type Env, rgPath } from "@pith/host";
import type { Clock } from "@pith/kit";
import type { Checkpoints } from "../behaviour/checkpoint.ts";
import { Pending } from "../behaviour/pending.ts";
import { memoryTodos, type TodoStore } from "../behaviour/todo-store.ts";
import type { Place } from "../files/path.ts";
import type { Commands } from "../job/commands.ts";
import type { Snapshots } from "../snapshot/snapshot.ts";
import type { Router } from "../url/router.ts";
import { astEdit } from "./ast-edit/ast-edit.ts";
import { astGrep } from "./ast-grep/ast-grep.ts";
import { type BashParts, bash } from "./bash/bash.ts";
import { checkpoint } from "./checkpoint/checkpoint.ts";
import { type EditOptions, edit } from "./edit/edit.ts";
import { find } from "./find/find.ts";
import { type JobToolParts, job } from "./job/job.ts";
import type { ReadParts } from "./read/parts.ts";
import { read } from "./read/read.ts";
import { resolve } from "./resolve/resolve.ts";
import { rewind } from "./rewind/rewind.ts";
import type { FindRg } from "./rg.ts";
import { type SearchOptions, search } from "./search/search.ts";
import { todo } from "./todo/todo.ts";
import { write } from "./write/write.ts";

export interface ToolParts extends Place {
  env: Env;
  artifacts: Artifacts;
  commands: Commands;
  /** Where a compiled pith may put the ripgrep it carries. */
  cacheDir: string;
  /** The user's own ripgrep. */
  rg?: string | undefined;
  bash?: Pick<BashParts, "timeout" | "pipes" | "backgroundMs" | "rules" | "face">;
  /** How long the job tool waits. */
  wait?: JobToolParts["wait"];
  /** The agent whose background jobs these tools see. */
  owner?: string;
  /** What was shown to the model, for anchored edits. */
  snapshots: Snapshots;
  edit: Omit<EditOptions, keyof Place | "snapshots" | "late">;
  /** Takes what a tool found out after its result had gone. */
  late?: (note: string) => void;
  clock: Clock;
  /** What was shown and waits for a decision; the tools keep their own when nobody else looks at it. */
  pending?: Pending;
  /** The list of a session; without one it is kept in memory. */
  todos?: TodoStore;
  /** Of a conversation that can go back; a sub-agent's cannot. */
  checkpoints?: Checkpoints;
  /** Internal addresses. */
  urls: Router;
  read: Pick<ReadParts, "display" | "defaultLimit" | "summarize">;
  search: SearchOptions;
}

/** Every built-in tool, in the order in which the model reads about them. */
const factories = {
  read: (parts: Made) => read({ ...parts, ...parts.read }),
  write: (parts: Made) => write({ ...parts, display: parts.read.display, generated: parts.edit.generated ?? "refuse" }),
  edit: (parts: Made) => edit({ ...parts, ...parts.edit }),
  bash: (parts: Made) =>
    bash({ ...parts, ...parts.commands, ...parts.bash, patch: { ...parts, ...parts.edit, tags: tagsOf(parts) } }),
  job: (parts: Made) => job({ ...parts, jobs: parts.commands.jobs, now: () => parts.clock.now() }),
  search: (parts: Made) => search({ ...parts, ...parts.search, display: parts.read.display }),
  find: (parts: Made) => find(parts),
  ast_grep: (parts: Made) => astGrep({ ...parts, tags: tagsOf(parts) }),
  ast_edit: (parts: Made) => astEdit({ ...parts, tags: tagsOf(parts), generated: parts.edit.generated ?? "refuse" }),
  todo: (parts: Made) => todo(parts.todos ?? memoryTodos()),
  checkpoint: (parts: Made) => checkpoint({ checkpoints: parts.checkpoints, clock: parts.clock }),
  rewind: (parts: Made) => rewind(parts.checkpoints),
} satisfies Record<string, (parts: Made) => Tool>;

export type ToolName = keyof typeof factories;
export const toolNames = Object.keys(factories) as ToolName[];

/** Costs next to nothing: what is heavy is loaded by the first call that needs it. */
export function builtinTools(parts: ToolParts, names: readonly ToolName[] = toolNames): Tool[] {
  const { rg: configured, cacheDir, env } = parts;
  let found: ReturnType<FindRg> | undefined;
  const rg: FindRg = () => {
    found ??= rgPath({ cacheDir, ...(configured && { configured }), ...(env.PATH && { path: env.PATH }) });
    return found;
  };
  const pending = parts.pending ?? new Pending();
  const tools: Tool[] = names.map((name) => factories[name]({ ...parts, rg, pending, tools: names }));
  return tools.some((own) => own.deferrable) ? [...tools, resolve(pending)] : tools;
}

type Made = Omit<ToolParts, "rg"> & { rg: FindRg; pending: Pending; tools: readonly string[] };

/** Only an edit by anchors has a use for tags. */
const tagsOf = ({ edit: { mode } }: Made) => (mode === "hashline" ? "shown" : "left out");
