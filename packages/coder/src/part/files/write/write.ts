import { type Intent, type Outcome, refusal, schema as s, type Tool } from "@pith/agent";
import { archiveEnding, databaseEnding } from "@pith/host";
import { type Clock, ok, type Result } from "@pith/kit";
import { adding, writeWords } from "../../../edit/added/added.ts";
import type { Editing } from "../../../edit/draft/file.ts";
import type { Files } from "../../../files/files.ts";
import type { Snapshots } from "../../../snapshot/snapshot.ts";
import { absentDatabaseIn, archiveIn, databaseIn } from "../../../tools/container.ts";
import { parseSelector } from "../../../tools/selector.ts";
import type { Router } from "../../../url/router.ts";
import { looksLikeUrl } from "../../../url/url.ts";
import type { Writing } from "./file.ts";
import type { Unpasted } from "./paste.ts";
import about from "./write.md" with { type: "text" };
import brief from "./write.short.md" with { type: "text" };

const input = s.object({ path: s.string().min(1), content: s.string().describe("The complete content") });
type Input = s.Infer<typeof input>;

export interface WriteOptions {
  files: Files;
  snapshots: Snapshots;
  /** Internal addresses. */
  urls: Router;
  clock: Clock;
  display: "hashline" | "numbered" | "plain";
  /** Refuses to replace files that say a program wrote them, or allows it. */
  generated: "refuse" | "allow";
}

export function write(options: WriteOptions): Tool<Input> {
  const { files, snapshots, generated, display } = options;
  const editing: Editing = { files, resolve: files.resolve, snapshots, generated };
  return {
    name: "write",
    about,
    brief,
    input,
    adds: () => adding(writeWords),
    async prepare(wanted, { signal, without }) {
      const unpasted = display === "plain" ? ok({ ...wanted, stripped: false }) : await unpaste(editing, wanted);
      if (!unpasted.ok) return refusal(unpasted.message);
      const { content, stripped } = unpasted.value;
      const notes = stripped ? ["Headers and line numbers copied from a read were taken out of the content"] : [];
      return prepare(options, editing, wanted.path, { content, notes, without, signal });
    },
  };
}

/** Reads a path as an address, else as an archive or a database, else as a file; one that exists as it stands is that. */
async function prepare(
  { files, urls, clock, display }: WriteOptions,
  editing: Editing,
  name: string,
  writing: Writing & { signal: AbortSignal },
): Promise<Intent | Outcome> {
  const { content } = writing;
  const tags = display === "hashline" ? "shown" : "left out";
  if (/^conflict:\/\//i.test(name)) {
    const { prepareConflicts } = await import("./conflict.ts");
    return prepareConflicts(editing, { href: name, conflicts: urls.conflicts, tags }, writing);
  }
  if (looksLikeUrl(name)) {
    const file = await urls.target(name);
    if (!file.ok) return refusal(file.message);
    return (await import("./file.ts")).prepareAddress(editing, file.value, { href: name, ...writing });
  }
  const path = files.resolve(name);
  const there = files.stat(path);
  if (!there?.isFile() || archiveIn(files, name)?.rest === "") {
    const archive = archiveIn(files, name, "make");
    if (archive) return (await import("./archive.ts")).prepareArchive({ files, clock }, archive, writing);
  }
  // Where there is no database yet, `data.db:table` means a row of one, and `data.db` alone a plain file.
  const absent = there ? undefined : absentDatabaseIn(files, name);
  const database = databaseIn(files, name) ?? (absent?.rest === "" ? undefined : absent);
  if (database) return (await import("./database.ts")).prepareRow(files, database, content);
  if (databaseEnding.test(path) && !there) {
    const { makesTables, prepareDatabase } = await import("./database.ts");
    if (makesTables(content)) return prepareDatabase(files, path, content);
  }
  if (archiveEnding.test(name) && !there)
    return refusal("An archive is written member by member: a.zip:dir/x.txt. Nothing was written.");
  const problem = there ? undefined : misplaced(files, name);
  if (problem) return refusal(`${problem}. Nothing was written.`);
  return (await import("./file.ts")).prepareFile(editing, path, { ...writing, tags });
}

async function unpaste(editing: Editing, { path: name, content }: Input): Promise<Result<Unpasted, "paste">> {
  if (!/^(?:\[.+#[0-9A-F]{4}\]|¶|[ *]?\d+(?:-\d+)?[:|])/m.test(content)) return ok({ content, stripped: false });
  const { shownTexts, withoutOwnNumbers, withoutPasted } = await import("./paste.ts");
  const plain = withoutPasted(content, shownTexts(editing, looksLikeUrl(name) ? undefined : name));
  return plain.ok && !plain.value.stripped ? ok(withoutOwnNumbers(editing, name, content)) : plain;
}

/** The problem with a path that would be taken for the name of a new file, though something else was meant. */
function misplaced(files: Files, name: string): string | undefined {
  if (name.endsWith("/")) return `${name}: names a directory; give the path of a file`;
  const isThere = (other: string) => files.stat(files.resolve(other))?.isFile() === true;
  const [, file = name] = /^(.+?\.(?:sqlite3?|db3?))[:?]/is.exec(name) ?? [];
  if (file !== name && isThere(file)) return `${file} is not an SQLite database`;
  const selected = parseSelector(name, isThere);
  const whole = selected.ok ? selected.value.path : name.slice(0, name.lastIndexOf(":"));
  return whole !== name && isThere(whole)
    ? `${name}: only whole files are written; change lines of ${whole} with edit`
    : undefined;
}
