import type { Artifacts, Meta } from "@pith/agent";
import type { Result } from "@pith/kit";
import type { Capabilities } from "../capability/registry.ts";
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
  /** Skills and rules, whoever wrote them; of a toolbox that nobody talks to perhaps none. */
  capabilities?: Capabilities | undefined;
}

/** What stands at an address: a file, which is not read yet, or a text that has none. */
export type Resource = (
  | {
      file: string;
      text?: undefined;
      /** What is shown of its content; absent: all of it. */
      extract?(content: string): Result<string, "url">;
    }
  | { text: string; file?: undefined }
) & {
  /** It is not cut into pages, unless lines are asked for: `always`, all of it is wanted; `extract`, nor by lines. */
  whole?: "always" | "extract";
  /** Where it came from, when neither the user nor the project wrote it. */
  origin?: Meta["origin"];
};

/** One scheme: one file. */
export interface Handler {
  /** Looks only: whoever shows a file has to be allowed to read it first. */
  resolve(url: Url, sources: Sources, signal: AbortSignal): Promise<Result<Resource, "url">> | Result<Resource, "url">;
  /** The file that a write to the address makes or replaces. Absent: what it shows cannot be written. */
  target?(url: Url, sources: Sources): Result<string, "url">;
  /** Every address it knows, where that is a short list. */
  list?(sources: Sources): string[];
  /** The addresses below one that is like a directory. */
  below?(url: Url, sources: Sources): string[];
}

/** What a router knows: the schemes by name, each loaded when it is first asked for. */
export interface Schemes {
  handlers: Readonly<Record<string, () => Promise<Handler>>>;
  /** Other names of a scheme. */
  aliases: Readonly<Record<string, string>>;
  /** Schemes that are known to exist and have nothing behind them here, and why. */
  absent: Readonly<Record<string, string>>;
}
