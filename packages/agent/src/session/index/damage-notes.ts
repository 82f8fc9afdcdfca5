import { plural } from "@pith/kit";
import type { Scan } from "./scan.ts";

/** Describes damage in a session and its repair, for people. */
export function damageNotes({ torn, damaged, repeated, relinked, renamed }: Scan): string[] {
  const notes: string[] = [];
  if (torn) notes.push("The last line of the session was cut off in the middle of a write; it was removed.");
  if (damaged > 0) {
    const were = damaged === 1 ? "was" : "were";
    notes.push(`${plural(damaged, "line")} of the session could not be read and ${were} left out.`);
  }
  if (repeated > 0) {
    const stand = repeated === 1 ? "stands" : "stand";
    notes.push(`${plural(repeated, "line")} of the session ${stand} there twice; the first counts.`);
  }
  for (const id of relinked.slice(0, shown))
    notes.push(`Entry ${id} lost its parent; it was linked to the entry before it.`);
  if (relinked.length > shown) {
    const more = plural(relinked.length - shown, "more entry", "more entries");
    notes.push(`${more} lost a parent and were linked likewise.`);
  }
  if (renamed.length > 0) {
    const entries = plural(renamed.length, "entry", "entries");
    notes.push(`${entries} had the id of another one: ${renamed.slice(0, shown).join(", ")}.`);
  }
  return notes;
}

/** Ids that are listed. */
const shown = 5;
