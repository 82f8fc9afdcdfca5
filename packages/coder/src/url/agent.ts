import { existsSync, readFileSync } from "node:fs";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import { extract } from "./extract.ts";
import { available, filesIn, findIn } from "./folder.ts";
import type { Handler, Sources } from "./handler.ts";

/** What a delegated agent handed in. `agent://id/a.b[0]` and `agent://id?q=a.b[0]` take a part of a JSON answer. */
export const agent: Handler = {
  resolve({ host, path, query }, { sessionDir }) {
    if (sessionDir === undefined) return fail("url", "No session - agent outputs unavailable");
    if (!existsSync(sessionDir)) return fail("url", "No artifacts directory found");
    const file = ["", ".json", ".md", ".txt"]
      .map((end) => findIn([sessionDir], `${host}${end}`))
      .find((found) => found !== undefined);
    if (!file) return fail("url", `Not found: ${host}. ${available(names(sessionDir))}`);
    if (query.has("q") && path !== "") return fail("url", `agent://${host}: give a path or ?q=, not both`);
    const wanted = query.get("q") ?? path.replaceAll("/", ".");
    if (wanted === "") return ok({ file });
    const taken = take(readFileSync(file, "utf8"), wanted);
    return taken.ok ? ok({ text: taken.value, whole: "extract" }) : fail("url", `agent://${host}: ${taken.message}`);
  },
  list: ({ sessionDir }: Sources) => (sessionDir ? names(sessionDir).map((name) => `agent://${name}`) : []),
};

const names = (dir: string): string[] =>
  filesIn(dir).flatMap((file) => /^([^/.\d][^/]*)\.(?:json|md|txt)$/.exec(file)?.[1] ?? []);

function take(text: string, wanted: string): Result<string, "query"> {
  try {
    // An answer may stand in a fence.
    const found = extract(JSON.parse(/^```(?:json)?\n(.*)\n```\s*$/s.exec(text.trim())?.[1] ?? text), wanted);
    if (!found.ok) return found;
    return ok(typeof found.value === "string" ? found.value : JSON.stringify(found.value, null, 2));
  } catch (thrown) {
    return fail("query", `its output is not JSON, so nothing can be taken out of it (${messageOf(thrown)})`);
  }
}
