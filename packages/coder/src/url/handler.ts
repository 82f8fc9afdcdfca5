import type { Artifacts } from "@pith/agent";
import type { Result } from "@pith/kit";
import type { Conflicts } from "./conflicts.ts";
import type { Url } from "./url.ts";

/** Where the handlers find what they show. */
export interface Sources {
  artifacts: Artifacts;
  /** The directory beside the session's record; undefined when nothing is recorded. */
  sessionDir: string | undefined;
  project: string;
  /** The directory of pith's own files. */
  home: string;
  conflicts: Conflicts;
}

/** What stands at an address: a file, or a text that has none. */
export type Resource = { file: string; text?: undefined } | ({ text: string; file?: undefined } & Shape);
interface Shape {
  /** All of it is wanted, or it is an extract: it is not paged unless lines are asked for. */
  whole?: "always" | "extract";
}

/** One scheme: one file. */
export interface Handler {
  resolve(url: Url, sources: Sources, signal: AbortSignal): Promise<Result<Resource, "url">> | Result<Resource, "url">;
  /** The file that a write to it makes or replaces. Absent: what it shows cannot be written. */
  target?(url: Url, sources: Sources): Result<string, "url">;
  /** Every address it knows, where that is a short list. */
  list?(sources: Sources): string[];
}
