import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, messageOf, ok, type Result } from "@pith/kit";

/** What helpers of a session brought back: `<id>.md`, and the session of each as `<id>.jsonl`, beside its artifacts. */
export interface Outputs {
  /** A place for a new one: the name as it is, then `-2`, `-3`; below a parent `Parent.Child`. */
  allocate(name: string, parent?: string): Output | undefined;
  /** The text behind `agent://<id>`, or with `/path` or `?q=` a part of it, when it is JSON. */
  resolve(url: string): Result<string, "no-session" | "no-directory" | "unknown" | "extraction">;
}

export interface Output {
  id: string;
  text: string;
  session: string;
}

/** `sessionFile` is the journal; undefined where nothing is recorded. */
export function openOutputs(sessionFile: string | undefined): Outputs {
  const folder = sessionFile?.replace(/\.jsonl$/, "");
  // Given in this process and not yet written.
  const given = new Set<string>();
  return {
    allocate(name, parent) {
      if (folder === undefined) return undefined;
      // A name is a file's name: no separators, nothing hidden.
      const wanted = `${parent === undefined ? "" : `${parent}.`}${name.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "output"}`;
      const taken = new Set([...(outputsIn(folder) ?? []), ...given]);
      let id = wanted;
      for (let count = 2; taken.has(id); count++) id = `${wanted}-${count}`;
      given.add(id);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
      } catch {
        return undefined;
      }
      return { id, text: join(folder, `${id}.md`), session: join(folder, `${id}.jsonl`) };
    },
    resolve(url) {
      if (folder === undefined) return fail("no-session", "No session - agent outputs unavailable");
      const ids = outputsIn(folder);
      if (!ids) return fail("no-directory", "No artifacts directory found");
      const [, id = "", path = "", query] = /^(?:agent:\/\/)?([^/?]+)(?:\/([^?]*))?(?:\?q=(.*))?$/s.exec(url) ?? [];
      if (!ids.includes(id)) return fail("unknown", `Not found: ${id}. Available: ${ids.join(", ") || "none"}`);
      const text = readFileSync(join(folder, `${id}.md`), "utf8");
      if (path === "" && query === undefined) return ok(text);
      if (path !== "" && query !== undefined) return fail("extraction", `agent://${id}: give a path or ?q=, not both.`);
      return extract(id, text, path === "" ? queryKeys(query ?? "") : path.split("/").filter(Boolean).map(decodeURIComponent));
    },
  };
}

function outputsIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder)
      .flatMap((name) => (name.endsWith(".md") ? [name.slice(0, -".md".length)] : []))
      .sort();
  } catch {
    return undefined;
  }
}

/** `.a.b[0]` */
const queryKeys = (query: string): string[] =>
  decodeURIComponent(query)
    .split(/[.[\]]+/)
    .filter(Boolean);

function extract(id: string, text: string, keys: readonly string[]): Result<string, "extraction"> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail("extraction", `agent://${id} is not JSON, so no part of it can be taken (${messageOf(error)}).`);
  }
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return fail("extraction", `agent://${id} has nothing at ${keys.join(".")}.`);
    value = (value as Record<string, unknown>)[key];
  }
  return ok(typeof value === "string" ? value : JSON.stringify(value, null, 2));
}
