import { existsSync } from "node:fs";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import { conflictsFile } from "../conflicts.ts";
import { extract } from "../extract.ts";
import { available, filesIn, findIn, sessionFolder } from "../folder.ts";
import type { Handler, UrlSources } from "../handler.ts";

/** Reports of sub-agents. `agent://id/a.b[0]` and `agent://id?q=a.b[0]` take a part of a JSON report. */
export const agent: Handler = {
  resolve({ host, path, query }, { sessionDir }) {
    if (sessionDir === undefined) return fail("url", "There is no session that has kept anything");
    if (!existsSync(sessionDir)) return fail("url", "There is no output in this session");
    const file = ["", ".json", ".md", ".txt"]
      .filter((end) => `${host}${end}` !== conflictsFile)
      .map((end) => findIn([sessionFolder(sessionDir)], `${host}${end}`))
      .find((file) => file !== undefined);
    if (!file) return fail("url", `Not found: ${host}. ${available(names(sessionDir))}`);
    if (query.has("q") && path !== "") return fail("url", `agent://${host}: give a path or ?q=, not both`);
    const wanted = query.get("q") ?? path.replaceAll("/", ".");
    if (wanted === "") return ok({ file });
    return ok({
      file,
      whole: "extract",
      extract(content) {
        const taken = take(content, wanted);
        return taken.ok ? taken : fail("url", `agent://${host}: ${taken.message}`);
      },
    });
  },
  list: ({ sessionDir }: UrlSources) => (sessionDir ? names(sessionDir).map((name) => `agent://${name}`) : []),
};

const names = (sessionDir: string): string[] =>
  filesIn(sessionFolder(sessionDir)).flatMap((file) =>
    file === conflictsFile ? [] : (/^([^/.\d][^/]*)\.(?:json|md|txt)$/.exec(file)?.[1] ?? []),
  );

function take(text: string, wanted: string): Result<string, "query"> {
  try {
    // A report may be fenced.
    const taken = extract(JSON.parse(/^```(?:json)?\n(.*)\n```\s*$/s.exec(text.trim())?.[1] ?? text), wanted);
    if (!taken.ok) return taken;
    return ok(typeof taken.value === "string" ? taken.value : JSON.stringify(taken.value, null, 2));
  } catch (thrown) {
    return fail("query", `its output is not JSON, so it has no parts (${messageOf(thrown)})`);
  }
}
