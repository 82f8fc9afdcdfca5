import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { blobFolder, fileBlobs, fileStorage, Journal, ompBlobFolders, textOf } from "@pith/agent";
import type { Settings } from "@pith/coder";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import type { Io } from "../io/io.ts";

export type Form = "html" | "md" | "json" | "jsonl";
type Write = (journal: Journal, inline: boolean) => Generator<string> | Promise<Generator<string>>;

/** The surroundings of an export; a page has the themes of the settings. */
export interface ExportContext {
  io: Pick<Io, "home" | "userHome" | "env" | "clock">;
  settings: Pick<Settings, "get"> | undefined;
}

const forms: Record<Form, (needs: ExportContext) => Promise<Write>> = {
  async html({ io, settings }) {
    const [{ writeHtml }, { pageStyle }, { loadCode }] = await Promise.all([
      import("./html.ts"),
      import("../theme/page.ts"),
      import("./code.ts"),
    ]);
    const grounds = settings ? pageStyle(io.home, settings) : "";
    return async (journal) => writeHtml(journal, grounds, await loadCode(textsIn(journal)));
  },
  md: async () => (await import("./markdown.ts")).writeMarkdown,
  json: async () => (await import("./data.ts")).writeJson,
  jsonl: async () => (await import("./data.ts")).writeLines,
};

/** The texts of all messages. */
function* textsIn({ tree }: Journal): Generator<string> {
  for (const entry of tree.all()) if (entry.type === "message") yield textOf(entry.message.content);
}

export const exportForms = Object.keys(forms) as readonly Form[];

/** Writes a session in one of the forms, piece by piece. */
export async function exported(
  journal: Journal,
  form: Form,
  inline: boolean,
  needs: ExportContext,
): Promise<Generator<string>> {
  return (await forms[form](needs))(journal, inline);
}

/** Writes a session, which may be in use, to a file. */
export async function exportTo(
  session: string,
  form: Form,
  file: string,
  needs: ExportContext,
): Promise<Result<undefined, "export">> {
  if (isSame(file, session)) return fail("export", `${file} is the session itself.`);
  const { io } = needs;
  const blobs = fileBlobs(blobFolder(io.home), () => io.clock.now(), ompBlobFolders(io.userHome, io.env));
  const opened = Journal.open({ storage: fileStorage(session), clock: io.clock, blobs, onFault: () => {} }, "read");
  if (!opened.ok) return fail("export", opened.message);
  try {
    writeAll(file, await exported(opened.value.journal, form, false, needs));
    return ok(undefined);
  } catch (error) {
    return fail("export", `The export could not be written: ${messageOf(error)}`);
  }
}

export const isSame = (file: string, other: string): boolean =>
  existsSync(file) && realpathSync(file) === realpathSync(other);

const betweenCollections = 32 << 20;

/** Writes pieces to a file, which replaces the old one when all are written; together they may exceed a string. */
export function writeAll(file: string, pieces: Iterable<string>): void {
  // A device or a pipe has no other name.
  const isPlain = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  const target = isPlain && existsSync(file) ? realpathSync(file) : file;
  const fresh = isPlain ? `${target}.${process.pid}.tmp` : target;
  try {
    const fd = openSync(fresh, "w");
    try {
      let bytes = 0;
      for (const piece of pieces) {
        writeFileSync(fd, piece);
        bytes += piece.length;
        if (bytes < betweenCollections) continue;
        // Without a pause, what was read and written long ago is not freed for long.
        Bun.gc(true);
        bytes = 0;
      }
    } finally {
      closeSync(fd);
    }
    if (isPlain) renameSync(fresh, target);
  } catch (error) {
    if (isPlain) rmSync(fresh, { force: true });
    throw error;
  }
}
