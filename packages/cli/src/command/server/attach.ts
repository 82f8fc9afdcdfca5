import { sessionsFolder } from "@pith/coder";
import { fail, ok } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { usage } from "../../io/io.ts";
import { present } from "../../mode/frontend.ts";
import { openProject } from "../../open/project.ts";
import { askServer, socketOf } from "../../open/server.ts";
import { fixedSlot } from "../../open/slot.ts";
import { subcommand } from "../subcommand.ts";

const { line, "screen-reader": reader, model } = launchFlags;
/** Shows a session that lives in `pith serve`. To leave it ends nothing. */
export const attach = subcommand({
  usage: "[session]",
  about: "the interface of a session that lives in the server",
  help: "serve",
  options: {
    new: { takes: "nothing", about: "open a new session there, in this directory" },
    model,
    line,
    "screen-reader": reader,
  },
  maxWords: 1,
  async run({ flags, words: [word] }, io) {
    if (!(await io.isTerminal("in")) || !(await io.isTerminal("out")))
      return usage(io, "pith attach needs a terminal; programs use the socket (pith help serve)");
    const response = await askServer(io.home, "/v1/sessions");
    if (!response) return usage(io, "no server runs here; pith serve --background begins one");
    const { sessions } = (await response.json()) as { sessions: { sessionId: string; cwd: string }[] };
    // What is typed here is meant for this directory, never for another that happens to have a session there.
    const found = sessions.findLast(({ sessionId, cwd }) =>
      word === undefined ? cwd === io.cwd : sessionId.startsWith(word),
    );
    let session = flags.new ? undefined : found?.sessionId;
    if (session === undefined) {
      const body = JSON.stringify({ cwd: io.cwd, session: word, model: flags.model });
      const made = await askServer(io.home, "/v1/sessions", { method: "POST", body });
      const said = (await made?.json()) as { sessionId?: string; error?: string } | undefined;
      if (said?.sessionId === undefined) return usage(io, said?.error ?? "the server does not answer");
      session = said.sessionId;
    }
    const { openMirror } = await import("../../mode/serve/remote-session.ts");
    const lost = Promise.withResolvers<string>();
    const mirror = await openMirror({ socket: socketOf(io.home), session }, lost.resolve);
    if (!mirror.ok) return usage(io, mirror.message);
    const coder = mirror.value;
    const project = await openProject(flags, io, { cwd: coder.header.cwd });
    if (!project.ok) return usage(io, project.message);
    const { settings } = project.value;
    const plain = flags.line === true || io.env.TERM === "dumb";
    const frontend = plain
      ? (await import("../../mode/line/frontend.ts")).lineFrontend(io)
      : (await import("../../mode/full/frontend.ts")).fullFrontend(io);
    const slot = fixedSlot(
      { ...project.value, coder, tour: false, close: () => coder.close() },
      "This session lives in the server; leave it, and attach to another.",
    );
    return present(frontend, project.value, io, async () => {
      const task = { slot, flags, prompt: undefined, sessions: sessionsFolder(settings, io) };
      const ended = await Promise.race([frontend.run(task, io), lost.promise]);
      return typeof ended === "number" ? ok(ended) : fail("lost", ended);
    });
  },
});
