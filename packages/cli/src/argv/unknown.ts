import { nearest } from "@pith/kit";

/** What to say to a name that nothing has: the one that was meant, and all there are. */
export function noSuch(what: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `there is no ${what} "${name}"${meant ? `; did you mean ${meant}?` : "."} Known are ${known.join(", ")}.`;
}
