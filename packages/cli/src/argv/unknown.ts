import { nearest } from "@pith/kit";

/** What to say to a name that nothing has: the one that was meant, and all there are where somebody would read them. */
export function noSuch(what: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const all = meant && known.length > many ? "" : ` Known are ${known.join(", ")}.`;
  return `there is no ${what} "${name}"${meant ? `; did you mean ${meant}?` : "."}${all}`;
}

const many = 24;
