import type { Io } from "../io/io.ts";

/** What one word after `pith` does, up to its exit code. */
export type Command = (argv: readonly string[], io: Io) => Promise<number>;
