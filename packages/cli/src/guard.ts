/** The part of the runtime that is checked; a test hands in a broken one. */
export interface Runtime {
  /** Undefined when this is not Bun. */
  width: ((text: string) => number) | undefined;
}

// A style and a link around nothing. A runtime that sees letters in it would draw every screen wrong.
const nothing = "\u001b[1m\u001b]8;;https://example.invalid\u0007\u001b]8;;\u0007\u001b[0m";

/** Tells why pith cannot run here. Called before anything else is loaded. */
export function runtimeFault({ width }: Runtime): string | undefined {
  if (!width) return "pith runs on Bun; start it with bin/pith or npm start, which bring the right one";
  if (width(nothing) !== 0)
    return "this Bun measures text wrongly (known bad release); start pith with bin/pith, which brings the right one";
  return undefined;
}
