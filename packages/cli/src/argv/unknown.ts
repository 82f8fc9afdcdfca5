import { nearest } from "@pith/kit";

/**
 * Message about a name that nothing has: with the one that was meant, and with all of them unless they are many; then
 * `where` tells what shows them.
 */
export function noSuch(what: string, name: string, known: readonly string[], where?: string): string {
  const meant = nearest(name, known);
  const none = `there is no ${what} "${name}"`;
  if (known.length > many && (meant || where)) return meant ? `${none}; did you mean ${meant}?` : `${none}; ${where}`;
  return `${none}${meant ? `; did you mean ${meant}?` : "."} Known are ${known.join(", ")}.`;
}

const many = 24;
