import type { Channel, Journal, Scene, Schema } from "@pith/agent";
import type { Choice } from "../model/choice.ts";
import type { Job } from "../shell/job/jobs.ts";
import type { Hall } from "./hall.ts";

/** Everything that is told of a conversation: an interface in another process has it as well. */
export interface ConversationState {
  journal: Journal;
  channel: Channel;
  file(): string | undefined;
  choice(): Pick<Choice, "model" | "effort" | "approval" | "dialect" | "queue" | "compaction">;
  jobs(): readonly Job[];
  undo(): ReturnType<Hall["undo"]> | undefined;
}

/** A request of an interface to a conversation. */
export interface Verb<A extends readonly unknown[] = never, G = unknown> {
  /** Schemas of the arguments that are carried to another process; what follows them stays behind. */
  takes: readonly Schema<unknown>[];
  run(source: never, ...args: A): G;
  /** Says how it works in an interface that is in another process than the conversation. */
  elsewhere:
    | { is: "local" | "request" }
    | { is: "optimistic"; answer(scene: Scene, ...args: A): G }
    | { is: "notCarried"; why: string; answer: G };
}

/** Verbs by name; a group of them is a member of the interface that has them. */
export interface VerbTable {
  readonly [name: string]: Verb | VerbTable;
}

/** The methods that a table gives. */
export type Methods<T> = {
  readonly [N in keyof T]: T[N] extends { run(source: never, ...args: infer A): infer G }
    ? (...args: A) => G
    : Methods<T[N]>;
};

type Takes<A extends readonly unknown[]> = { readonly [K in keyof A]?: Schema<A[K]> };

/** Works from what is told of a conversation, wherever that is. */
export const local = <A extends unknown[], G>(run: (source: ConversationState, ...args: A) => G): Verb<A, G> => ({
  takes: [],
  run,
  elsewhere: { is: "local" },
});

/** Runs where the conversation is; another process asks over the wire and waits for the answer. */
export const request = <A extends unknown[], G>(
  takes: Takes<NoInfer<A>>,
  run: (hall: Hall, ...args: A) => Promise<G>,
): Verb<A, Promise<G>> => ({ takes: takes as readonly Schema<unknown>[], run, elsewhere: { is: "request" } });

/** The same for what gives nothing: another process sends it, and does not wait. */
export const notification = <A extends unknown[]>(takes: Takes<NoInfer<A>>, run: (hall: Hall, ...args: A) => void) =>
  optimistic(takes, run, () => undefined);

/** The same for what is answered at once: another process sends it, and answers by the scene that it knows. */
export const optimistic = <A extends unknown[], G>(
  takes: Takes<NoInfer<A>>,
  run: (hall: Hall, ...args: A) => G,
  answer: NoInfer<(scene: Scene, ...args: A) => G>,
): Verb<A, G> => ({ takes: takes as readonly Schema<unknown>[], run, elsewhere: { is: "optimistic", answer } });

/** Works only where the conversation is; another process tells the person `why` and gives `answer`. */
export const notCarried = <A extends unknown[], G>(
  why: string,
  run: (hall: Hall, ...args: A) => G,
  answer: NoInfer<G>,
): Verb<A, G> => ({ takes: [], run, elsewhere: { is: "notCarried", why, answer } });

/** Makes the methods of a table; `call` is handed the dotted name of each. */
export function methodsOf<T extends VerbTable>(
  table: T,
  call: (verb: Verb<unknown[]>, name: string, args: unknown[]) => unknown,
  prefix = "",
): Methods<T> {
  const methods = Object.entries(table).map(([name, row]) => [
    name,
    isVerb(row)
      ? (...args: unknown[]) => call(row as Verb<unknown[]>, prefix + name, args)
      : methodsOf(row, call, `${prefix}${name}.`),
  ]);
  return Object.fromEntries(methods) as Methods<T>;
}

/** The verb of a dotted name. */
export function verbNamed(table: VerbTable, name: string): Verb | undefined {
  const found = name
    .split(".")
    .reduce<Verb | VerbTable | undefined>(
      (row, step) => (row && !isVerb(row) && Object.hasOwn(row, step) ? row[step] : undefined),
      table,
    );
  return found && isVerb(found) ? found : undefined;
}

const isVerb = (row: Verb | VerbTable): row is Verb => typeof row.run === "function";
