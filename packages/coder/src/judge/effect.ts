/**
 * Effects of a command. Nothing but readings is what is proven to only read; `exec` is a program that nothing is known
 * of, or one that runs what others wrote; `opaque` is what nobody can look into before it runs.
 */
export const commandEffects = [
  "read inside",
  "read outside",
  "write inside",
  "write outside",
  "net",
  "exec",
  "opaque",
] as const;
export type CommandEffect = (typeof commandEffects)[number];

/** Tells what a command is proven to only read: the project, or more than that; undefined where it is not proven. */
export function reading(done: Iterable<CommandEffect>): "inside" | "outside" | undefined {
  let widest: "inside" | "outside" = "inside";
  for (const effect of done) {
    if (effect === "read outside") widest = "outside";
    else if (effect !== "read inside") return undefined;
  }
  return widest;
}
