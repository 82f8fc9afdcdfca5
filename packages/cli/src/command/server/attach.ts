import { openUndo, sessionsFolder } from "@pith/coder";
import { fail, ok, type Result } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { type Io, usage } from "../../io/io.ts";
import { present } from "../../mode/frontend.ts";
import { openProject } from "../../open/project.ts";
import { askServer, socketOf } from "../../open/server.ts";
import { fixedSlot } from "../../open/slot.ts";
import { subcommand } from "../subcommand.ts";

const { line, "screen-reader": reader, model } = launchFlags;
/** Shows a session that lives in `pith serve`. To leave it ends nothing. */
export const attach = subcommand({
  usage: "[session]",
  about: "open a session of pith serve",
  help: "serve",
  options: {
    new: { takes: "nothing", about: "start a new session in this directory" },
    model,
    line,
    "screen-reader": reader,
  },
  maxWords: 1,
  async run({ flags, words: [word] }, io) {
    if (!(await io.isTerminal("in")) || !(await io.isTerminal("out")))
      return usage(io, "pith attach needs a terminal; programs use the socket (pith help serve)");
    const served = await servedSession(word, flags, io);
    if (!served.ok) return usage(io, served.message);
    const project = await openProject(flags, io, { cwd: served.value.cwd });
    if (!project.ok) return usage(io, project.message);
    const { cwd, settings } = project.value;
    const sessions = sessionsFolder(settings, io);
    const { attach } = await import("../../mode/serve/attached.ts");
    const lost = Promise.withResolvers<string>();
    const attached = await attach({
      socket: socketOf(io.home),
      session: served.value.sessionId,
      undo: () => (settings.get("undo.enabled") ? openUndo({ ...io, cwd, settings, sessions }, io.clock) : undefined),
      lost: lost.resolve,
    });
    if (!attached.ok) return usage(io, attached.message);
    const coder = attached.value;
    const frontend = (await import("../../mode/full/frontend.ts")).fullFrontend();
    const slot = fixedSlot(
      { ...project.value, coder, tour: false, close: () => coder.close() },
      "This session lives in the server; leave it, and attach to another.",
    );
    return present(frontend, project.value, io, async () => {
      const task = { slot, flags, prompt: undefined, sessions };
      const ended = await Promise.race([frontend.run(task, io), lost.promise]);
      return typeof ended === "number" ? ok(ended) : fail("lost", ended);
    });
  },
});

interface ServedSession {
  sessionId: string;
  cwd: string;
}

/** Finds a session in the server, or has it opened there. */
async function servedSession(
  word: string | undefined,
  flags: { new?: true; model?: string },
  io: Io,
): Promise<Result<ServedSession, "usage">> {
  const response = await askServer(io.home, "/v1/sessions");
  if (!response) return fail("usage", "no server runs here; pith serve --background begins one");
  const { sessions } = (await response.json()) as { sessions: ServedSession[] };
  // Without a name, only a session of this directory is meant.
  const found = sessions.findLast(({ sessionId, cwd }) =>
    word === undefined ? cwd === io.cwd : sessionId.startsWith(word),
  );
  if (found && !flags.new) return ok(found);
  const body = JSON.stringify({ cwd: io.cwd, session: word, model: flags.model });
  const made = await askServer(io.home, "/v1/sessions", { method: "POST", body });
  const opened = (await made?.json()) as (Partial<ServedSession> & { error?: string }) | undefined;
  if (opened?.sessionId === undefined) return fail("usage", opened?.error ?? "the server does not answer");
  return ok({ cwd: io.cwd, ...opened, sessionId: opened.sessionId });
}
