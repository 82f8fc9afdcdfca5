import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { archiveEnding, databaseEnding } from "@pith/host";
import { resolvePath, statOf } from "../../files/path.ts";
import { looksLikeUrl } from "../../url/url.ts";
import { absentDatabaseIn, archiveIn, databaseIn } from "../container.ts";
import { parseSelector } from "../selector.ts";
import { writeFile } from "./file.ts";
import type { WriteParts } from "./parts.ts";
import { withoutPasted } from "./paste.ts";
import about from "./write.md" with { type: "text" };

const input = s.object({ path: s.string().min(1), content: s.string().describe("The complete content") });
type Input = s.Infer<typeof input>;

export function write(parts: WriteParts): Tool<Input> {
  return tool({
    name: "write",
    about,
    input,
    effect: "write",
    alone: true,
    paths: ({ path }) => pathsOf(parts, path),
    run: ({ path, content }, { signal }) => run(parts, path, content, signal),
  });
}

/** Addresses first, then archives, databases and plain files; a name that exists as it stands is a plain file. */
async function run(parts: WriteParts, given: string, content: string, signal: AbortSignal): Promise<Outcome> {
  const pasted = parts.display === "hashline" ? withoutPasted(content) : { content, stripped: false };
  const notes = pasted.stripped ? ["Headers and line numbers copied from a read were taken out of the content"] : [];
  if (/^conflict:\/\//i.test(given))
    return (await import("./conflict.ts")).resolveConflicts(parts, given, pasted.content);
  if (looksLikeUrl(given)) return writeUrl(parts, given, pasted.content);
  const path = resolvePath(parts, given);
  if (!statOf(path)?.isFile() || archiveIn(parts, given)?.rest === "") {
    const archive = archiveIn(parts, given, "make");
    if (archive) return (await import("./archive.ts")).writeArchive(parts, archive, pasted.content);
  }
  const database = databaseIn(parts, given) ?? (statOf(path) ? undefined : rowOf(parts, given));
  if (database) return (await import("./database.ts")).writeRow(parts, database, content, signal);
  if (databaseEnding.test(path) && !statOf(path)) {
    const made = await (await import("./database.ts")).makeFrom(parts, path, content, signal);
    if (made) return made;
  }
  if (archiveEnding.test(given) && !statOf(path))
    return refusal("Archive write path must target a file inside the archive");
  const problem = statOf(path) ? undefined : misplaced(parts, given);
  if (problem) return refusal(`${problem}. Nothing was written.`);
  return writeFile(parts, path, pasted.content, notes);
}

/** `data.db:table` where there is no database yet; `data.db` alone is a plain file. */
function rowOf(parts: WriteParts, given: string) {
  const absent = absentDatabaseIn(parts, given);
  return absent?.rest === "" ? undefined : absent;
}

/** A path that would be taken for the name of a new file, though something else was meant. */
function misplaced(parts: WriteParts, given: string): string | undefined {
  if (given.endsWith("/")) return `${given}: names a directory; give the path of a file`;
  const isThere = (name: string) => statOf(resolvePath(parts, name))?.isFile() === true;
  const [, file = given] = /^(.+?\.(?:sqlite3?|db3?))[:?]/is.exec(given) ?? [];
  if (file !== given && isThere(file)) return `${file} is not an SQLite database`;
  const selected = parseSelector(given, isThere);
  const whole = selected.ok ? selected.value.path : given.slice(0, given.lastIndexOf(":"));
  return whole !== given && isThere(whole)
    ? `${given}: only whole files are written; change lines of ${whole} with edit`
    : undefined;
}

async function writeUrl(parts: WriteParts, given: string, content: string): Promise<Outcome> {
  const written = await parts.urls.write(given, content);
  if (!written.ok) return refusal(written.message);
  return {
    kind: "prose",
    data: {},
    text: `Successfully wrote ${written.value.bytes} bytes to ${given}`,
    meta: { source: { internal: given } },
  };
}

function pathsOf(parts: WriteParts, given: string): string[] {
  if (/^conflict:\/\//i.test(given)) return parts.urls.conflicts.pathsOf(given);
  if (looksLikeUrl(given)) return [];
  const path = resolvePath(parts, given);
  if (statOf(path)?.isFile()) return [path];
  return [(archiveIn(parts, given, "make") ?? databaseIn(parts, given) ?? rowOf(parts, given))?.path ?? path];
}
