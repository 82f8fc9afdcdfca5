import type { Meta } from "@pith/agent";
import { defined } from "@pith/kit";

/** Facts about a result: those that are undefined and an empty list of notes are left out, and so are none at all. */
export function metaOf({
  notes = [],
  ...facts
}: { [K in Exclude<keyof Meta, "notes">]?: Meta[K] | undefined } & { notes?: readonly string[] }): Meta | undefined {
  const meta: Meta = defined({ ...facts, notes: notes.length > 0 ? [...notes] : undefined });
  return Object.keys(meta).length > 0 ? meta : undefined;
}
