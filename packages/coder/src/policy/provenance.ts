import {
  type CallView,
  type Entry,
  type EntryDraft,
  foreignOrigin,
  type Intent,
  type Meta,
  type SessionTree,
} from "@pith/agent";
import { type Inside, sideOf } from "./approval.ts";

/** The source of a text that neither the user nor the project wrote. */
export type Origin = NonNullable<Meta["origin"]>;

export interface OriginSources {
  inside: Inside;
  /** Names who brought a tool. */
  sourceOf(tool: string): string | undefined;
}

/** Tells where the result of a call came from; undefined when it is the project's, or pith's own. */
export async function originOf(view: Called, sources: OriginSources): Promise<Origin | undefined> {
  const { tool, intent } = view;
  const source = sources.sourceOf(tool.name) ?? "pith";
  if (source !== "pith") return { from: "server", what: `${tool.name} of ${source}` };
  if (talks(intent)) return { from: "web", what: intent.hosts?.join(", ") ?? tool.name };
  const strange = intent.paths.find(({ effect, real }) => effect === "read" && isForeign(real, sources.inside));
  if (strange) return { from: "outside", what: strange.path };
  return intent.judged && (await way()).commandOrigin(intent.judged.judgement);
}

/** Through what a call could give something away, or leave something behind; undefined when it cannot. */
export async function exfiltration(
  { tool, intent }: Called,
  sources: OriginSources,
  sandbox: "closed" | "open",
): Promise<string | undefined> {
  if ((sources.sourceOf(tool.name) ?? "pith") !== "pith") return "it talks to a server";
  if (talks(intent)) return "it uses the network";
  if (intent.effect === "write" && sideOf(intent, sources.inside) === "outside") return "it writes outside the project";
  return intent.judged && (await way()).commandExfiltration(intent.judged, sandbox);
}

let loading: Promise<typeof import("./way.ts")> | undefined;
const way = () => {
  loading ??= import("./way.ts");
  return loading;
};

type Called = Pick<CallView, "tool" | "intent">;

const talks = ({ effect, hosts }: Intent): boolean => effect === "net" || (hosts?.length ?? 0) > 0;

export const isForeign = (real: string, inside: Inside): boolean =>
  inside.named?.includes(real) ||
  sideOf({ effect: "read", paths: [{ effect: "read", path: real, real }] }, inside) === "outside";

/** The marks of foreign texts on a path. Every entry is looked at once. */
export class Marks {
  readonly #tree: SessionTree;
  /** By entry: the marks up to it. */
  readonly #known = new Map<string, readonly Mark[]>();

  constructor(tree: SessionTree) {
    this.#tree = tree;
  }

  /** The origin of the newest mark on the path. */
  get newest(): Origin | undefined {
    const mark = this.upTo().at(-1);
    return mark && { from: mark.from, what: mark.what };
  }

  upTo(id: string | null = this.#tree.leaf): readonly Mark[] {
    const walks = [this.#walk(id)];
    let summed: readonly Mark[] | undefined;
    for (let walk = walks.at(-1); walk; walk = walks.at(-1)) {
      const entry = walk.fresh.at(-1);
      if (!entry) {
        summed = walk.marks;
        walks.pop();
        continue;
      }
      // A summary says what was on the way that it sums up. How many name each other is up to a stranger: no recursion.
      if (entry.type === "branch_summary" && this.#tree.has(entry.fromId) && !summed) {
        walks.push(this.#walk(entry.fromId));
        continue;
      }
      const more = [...(summed ?? []), ...marksOf(entry, this.#tree)];
      summed = undefined;
      walk.fresh.pop();
      if (more.length > 0) walk.marks = [...walk.marks, ...more].slice(-mostMarks);
      this.#known.set(entry.id, walk.marks);
    }
    return summed ?? [];
  }

  /** Collects the entries on the way back from here that were not looked at yet, the oldest last. */
  #walk(id: string | null): { fresh: Entry[]; marks: readonly Mark[] } {
    const fresh: Entry[] = [];
    for (const entry of this.#tree.back(id)) {
      const known = this.#known.get(entry.id);
      if (known) return { fresh, marks: known };
      fresh.push(entry);
      // A stranger's summary may name what stands behind it, or itself.
      this.#known.set(entry.id, []);
    }
    return { fresh, marks: [] };
  }
}

/** An entry that says so of what no result holds: what a job was told, whose words come by themselves. */
export const originNote = (origin: Origin): EntryDraft => ({ type: "custom", customType: note, data: { origin } });
const note = "pith.origin";

function marksOf(entry: Entry, tree: SessionTree): readonly Mark[] {
  if (entry.type === "branch_summary" || entry.type === "compaction") {
    const summed = originIn(entry.details) ?? lostBranch(entry, tree);
    return summed ? [{ call: "", tool: "a summary", ...summed }] : [];
  }
  if (entry.type === "custom") {
    const noted = entry.customType === note ? originIn({ meta: entry.data }) : undefined;
    return noted ? [{ call: "", tool: "a command in the background", ...noted }] : [];
  }
  if (entry.type === "custom_message") {
    const told = originIn(entry.details);
    return told ? [{ call: "", tool: "the session before", ...told }] : [];
  }
  if (entry.type !== "message") return [];
  const { role } = entry.message as { role: string };
  const said = role === "toolResult" ? undefined : originIn({ meta: entry });
  if (said) return [{ call: "", tool: bringers[role] ?? "a command that you ran", ...said }];
  if (entry.message.role !== "toolResult") return [];
  const { toolCallId, toolName, details } = entry.message;
  const origin = originIn(details) ?? (typeof details?.kind === "string" ? undefined : foreign(entry, tree));
  return origin ? [{ call: toolCallId, tool: toolName, ...origin }] : [];
}

const bringers: Readonly<Record<string, string>> = { user: "an attached file", assistant: "a search of the model" };

/** The origin of a result that another program wrote into a session that opens as it is. */
function foreign({ message, parentId }: Extract<Entry, { type: "message" }>, tree: SessionTree): Origin | undefined {
  if (message.role !== "toolResult") return undefined;
  for (const entry of tree.back(parentId)) {
    const said = entry.type === "message" && entry.message.role === "assistant" ? entry.message.content : [];
    for (const part of said)
      if (part.type === "toolCall" && part.id === message.toolCallId)
        return foreignOrigin({ name: part.name, input: part.arguments });
  }
  return { from: "outside", what: message.toolName };
}

/** A summary of a branch that is not in this copy, or that another program did not name, may hold anything. */
function lostBranch(entry: Entry, tree: SessionTree): Origin | undefined {
  if (entry.type !== "branch_summary" || entry.fromId === "root") return undefined;
  if (tree.has(entry.fromId) && entry.fromId !== entry.parentId) return undefined;
  return { from: "outside", what: "a branch that is not here" };
}

export interface Mark extends Origin {
  call: string;
  tool: string;
}

const mostMarks = 20;

/** A record may be a stranger's: what is not as we write it is a mark all the same. */
function originIn(details: unknown): Origin | undefined {
  const { meta } = (details ?? {}) as { meta?: { origin?: unknown } };
  if (meta?.origin === undefined) return undefined;
  const { from, what } = (meta.origin ?? {}) as Partial<Origin>;
  const known = origins.find((one) => one === from) ?? "outside";
  return { from: known, what: typeof what === "string" ? what.slice(0, 200) : "something" };
}

const origins = ["web", "server", "outside", "network"] as const;

const words: Record<Origin["from"], string> = {
  web: "from the web",
  server: "from a server",
  outside: "from outside the project",
  network: "from the network",
};

export const markText = ({ tool, from, what }: Mark): string => `brought by ${tool} ${words[from]} (${what})`;
