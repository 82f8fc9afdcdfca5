import type { Hall, House, Opening } from "./hall.ts";
import type { MakePart, Part } from "./part.ts";

/** A row of the list of parts: made once per process, in every conversation, or only in that of a person. */
export interface PartRow {
  reach: "process" | "every" | "main";
  make(hall: Hall): Part | undefined;
}

type Owner = keyof Hall;

/**
 * The list of parts, built row by row. The type parameters are the owners that are there so far, by reach: a row that
 * needs an owner which no earlier row of its reach gives does not compile.
 */
export interface PartList<P extends Owner, E extends Owner, M extends Owner> {
  process<G extends keyof House = never>(make: MakePart<P, G>): PartList<P | G, E | G, M | G>;
  every<G extends Owner = never>(make: MakePart<E, G>): PartList<P, E | G, M | G>;
  main<G extends Owner = never>(make: MakePart<M, G>): PartList<P, E, M | G>;
  readonly rows: readonly PartRow[];
}

/** Owners that are there before the first row. */
type ProcessBase = "cwd" | "home" | "userHome" | "env" | "clock" | "store" | "launch";
type ConversationBase = ProcessBase | keyof Opening | "open";

export function partList(): PartList<ProcessBase, ConversationBase, ConversationBase> {
  const rows: PartRow[] = [];
  const adds = (reach: PartRow["reach"]) => (make: unknown) => {
    rows.push({ reach, make: make as PartRow["make"] });
    return built;
  };
  const built = { process: adds("process"), every: adds("every"), main: adds("main"), rows };
  return built as unknown as PartList<ProcessBase, ConversationBase, ConversationBase>;
}
