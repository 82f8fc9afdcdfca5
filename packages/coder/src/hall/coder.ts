import type { Header, Scene } from "@pith/agent";
import type { Model } from "@pith/llm";
import type { CommandTable } from "../command/table.ts";
import type { OpenHall } from "./open.ts";
import type { Door } from "./part.ts";
import { type ConversationState, type Methods, methodsOf } from "./verb.ts";
import { verbs } from "./verbs.ts";

/** A coding agent as an interface has it: what stands, and a method for each verb. The rest is told through events. */
export interface Coder extends Methods<typeof verbs> {
  readonly header: Header;
  /** The file of the record; undefined when nothing is recorded. */
  readonly file: string | undefined;
  readonly model: Model;
  /** Options of the conversation: model, effort, approval, dialect of edits. */
  readonly choice: ReturnType<ConversationState["choice"]>;
  /** True while something was said that is not answered yet, or the conversation is being made shorter. */
  readonly running: boolean;
  readonly scene: Scene;
  /** The slash commands: for help and completion, and to see whether something typed is one. */
  readonly commands: Omit<CommandTable, "find">;
  /** Brings in tools and hooks of an interface. */
  readonly door: Door;
  /** Ends what runs and flushes the record. */
  close(): Promise<void>;
}

/** Moving in the tree of the session, as an interface does it. */
export type Walk = Coder["walk"];

/** A conversation of this process, as an interface has it. */
export function coderOf<T extends typeof verbs>(
  { hall, assembly }: OpenHall,
  close: () => Promise<void>,
  table = verbs as T,
): Coder & Methods<T> {
  const { journal, channel, choice, commands } = hall;
  const source: ConversationState = {
    journal,
    channel,
    file: () => journal.file,
    choice: () => choice,
    jobs: () => hall.shell.jobs?.list() ?? [],
    undo: () => (hall.settings.get("undo.enabled") ? hall.undo() : undefined),
  };
  const methods = methodsOf(table, ({ run, elsewhere }, _, args) =>
    run((elsewhere.is === "local" ? source : hall) as never, ...args),
  );
  return coderFrom(source, methods, { commands, door: assembly.door, close });
}

/** Puts a coder together, wherever its conversation is. */
export function coderFrom<M extends Methods<typeof verbs>>(
  { journal, channel, file, choice }: ConversationState,
  methods: M,
  more: Pick<Coder, "commands" | "door" | "close">,
): Coder & M {
  const facts = {
    get header() {
      return journal.header;
    },
    get file() {
      return file();
    },
    get model() {
      return choice().model;
    },
    get choice() {
      return choice();
    },
    get running() {
      return channel.running;
    },
    get scene() {
      return channel.scene;
    },
  };
  return Object.assign(facts, methods, more);
}
