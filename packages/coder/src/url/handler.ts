import type { Artifacts, Meta } from "@pith/agent";
import type { Result } from "@pith/kit";
import type { Capabilities } from "../capability/registry.ts";
import type { Conflicts } from "./conflicts.ts";
import type { Url } from "./url.ts";

/** Data that handlers show. */
export interface UrlSources {
  artifacts: Artifacts;
  /** The directory beside the session's record; undefined when nothing is recorded. */
  sessionDir: string | undefined;
  project: string;
  /** The directory of pith's own files. */
  home: string;
  conflicts: Conflicts;
  /** Skills and rules of all sources; undefined without a conversation. */
  capabilities?: Capabilities | undefined;
}

/** The content of an address: a file, which is not read yet, or a text. */
export type Resource = (
  | {
      file: string;
      text?: undefined;
      /** Takes the shown part of its content; without it, all of the content is shown. */
      extract?(content: string): Result<string, "url">;
    }
  | { text: string; file?: undefined }
) & {
  /** Set when it is not cut into pages: `always`, except by wanted lines; `extract`, not even by those. */
  whole?: "always" | "extract";
  /** Its origin, when neither the user nor the project wrote it. */
  origin?: Meta["origin"];
};

/** Resolves the addresses of a scheme. */
export interface Handler {
  /** Finds the content without reading a file; the caller must be allowed to read it first. */
  resolve(
    url: Url,
    sources: UrlSources,
    signal: AbortSignal,
  ): Promise<Result<Resource, "url">> | Result<Resource, "url">;
  /** Returns the file that a write to the address makes or replaces. Without it, the scheme is read-only. */
  target?(url: Url, sources: UrlSources): Result<string, "url">;
  /** Lists all addresses, when there are few. */
  list?(sources: UrlSources): string[];
  /** Lists the addresses below one that is like a directory. */
  below?(url: Url, sources: UrlSources): string[];
}

/** Schemes by name, each loaded when it is first used. */
export interface Schemes {
  handlers: Readonly<Record<string, () => Promise<Handler>>>;
  /** Other names of a scheme. */
  aliases: Readonly<Record<string, string>>;
  /** Schemes that exist elsewhere, with the reason why they do not work here. */
  absent: Readonly<Record<string, string>>;
}
