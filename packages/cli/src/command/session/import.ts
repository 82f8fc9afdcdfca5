import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  allSessionFiles,
  blobFolder,
  fileBlobs,
  type ImportSource,
  idOf,
  importSession,
  rememberFolder,
} from "@pith/agent";
import { plural, tryOr } from "@pith/kit";
import { noSuch } from "../../argv/unknown.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, usage } from "../../io/io.ts";
import { sessionDir, sessionsFolder } from "../../open/folder.ts";
import { subcommand } from "../subcommand.ts";

/** Folders in which each program has its sessions: below the user's home, or where its variable says. */
const folders: Record<ImportSource, (io: Io) => string[]> = {
  claude: (io) => [join(io.env.CLAUDE_CONFIG_DIR ?? join(io.userHome, ".claude"), "projects")],
  codex: (io) =>
    ["sessions", "archived_sessions"].map((name) => join(io.env.CODEX_HOME ?? join(io.userHome, ".codex"), name)),
};

/** Brings in sessions of other programs, and what is new in those that were brought in before. */
export const importSessions = subcommand({
  usage: "claude|codex <file ...|--all>",
  about: "sessions of Claude Code or the Codex CLI",
  help: "export",
  options: { all: { takes: "nothing", about: "every session" }, "session-dir": sessionDir },
  words: Object.keys(folders),
  async run({ flags, words: [source, ...named] }, io) {
    if (source !== undefined && /^(?:pi|omp|oh-my-pi)$/.test(source))
      return usage(io, `sessions of ${source} need no import: pith -r <file> goes on with one as it is`);
    if (source === undefined) return "usage";
    if (!isSource(source)) return usage(io, noSuch("source", source, Object.keys(folders)));
    if (flags.all ? named.length > 0 : named.length === 0) return "usage";
    const files = flags.all
      ? folders[source](io).flatMap(sessionFilesBelow)
      : named.map((file) => resolve(io.cwd, file));
    const sessions = await sessionsFolder(io, flags["session-dir"]);
    if (!sessions.ok) return usage(io, sessions.message);
    const count = await importAll({ source, files, sessions: sessions.value, which: flags.all ? "all" : "named" }, io);
    const failed = count.unwritable > 0 ? `, ${count.unwritable} failed` : "";
    const missing = count.missing > 0 ? `, ${count.missing} not found` : "";
    const skipped = `${count.known} known already, ${count.foreign} without a conversation${missing}`;
    complain(io, `${plural(count.imported, "session")} imported, ${count.grown} grown, ${skipped}${failed}`);
    return count.unwritable > 0 || (count.foreign + count.missing > 0 && !flags.all) ? exit.unfinished : exit.finished;
  },
});

interface ImportRequest {
  source: ImportSource;
  files: readonly string[];
  /** The folder of all sessions. */
  sessions: string;
  which: "all" | "named";
}

async function importAll({ source, files, sessions, which }: ImportRequest, io: Io) {
  const blobs = fileBlobs(blobFolder(io.home), () => io.clock.now());
  const known = new Map(allSessionFiles(sessions).map((file) => [idOf(file), file]));
  const count = { imported: 0, grown: 0, known: 0, foreign: 0, missing: 0, unwritable: 0 };
  for (const file of files) {
    if (which === "named" && !existsSync(file)) {
      complain(io, `${file}: there is no such file`);
      count.missing++;
      continue;
    }
    const result = await importSession(source, file, { sessions, blobs, known });
    if (result.ok) rememberFolder(io.home, result.value.file);
    if (result.ok && result.value.done !== "known") io.out.write(`${result.value.file}\n`);
    if (result.ok && result.value.aside !== undefined)
      complain(
        io,
        `you went on with it here; pith -r ${idOf(result.value.file)}#${result.value.aside} shows what is new`,
      );
    // With --all, files without a conversation are expected; a named file should have one.
    if (!result.ok && (which === "named" || result.kind === "unwritable")) complain(io, result.message);
    count[result.ok ? result.value.done : result.kind]++;
  }
  return count;
}

const isSource = (name: string): name is ImportSource => Object.hasOwn(folders, name);

function sessionFilesBelow(folder: string): string[] {
  const items = tryOr(() => readdirSync(folder, { recursive: true, withFileTypes: true }), []);
  return items
    .flatMap((item) => (item.isFile() && item.name.endsWith(".jsonl") ? [join(item.parentPath, item.name)] : []))
    .sort();
}
