import { openTrust, sessionsFolder } from "@pith/coder";
import { fail } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, usage } from "../../io/io.ts";
import { askServer, socketOf } from "../../open/server.ts";
import { settingsIn } from "../../open/setting.ts";
import type { Command } from "../command.ts";

const { line, "screen-reader": reader, model } = launchFlags;
export const options = {
  new: { takes: "nothing", about: "open a new session there, in this directory" },
  model,
  line,
  "screen-reader": reader,
} as const satisfies FlagTable;

/** `pith attach [session]`: the face of a session that lives in `pith serve`. To leave it ends nothing. */
export const attach: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words } = parsed.value;
  if (words.length > 1) return usage(io, "usage: pith attach [session]");
  if (!(await io.isTerminal("in")) || !(await io.isTerminal("out")))
    return usage(io, "pith attach needs a terminal; programs use the socket (pith help serve)");
  const response = await askServer(io.home, "/v1/sessions");
  if (!response) return usage(io, "no server runs here; pith serve --background begins one");
  const { sessions } = (await response.json()) as { sessions: { sessionId: string; cwd: string }[] };
  const [word] = words;
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
  const { openMirror } = await import("../../mode/serve/attach.ts");
  const lost = Promise.withResolvers<string>();
  const mirror = await openMirror({ socket: socketOf(io.home), session }, lost.resolve);
  if (!mirror.ok) return usage(io, mirror.message);
  const coder = mirror.value;
  const { cwd } = coder.header;
  const settings = await settingsIn(io, { cwd }, openTrust({ home: io.home }));
  if (!settings.ok) return usage(io, settings.message);
  const plain = flags.line === true || io.env.TERM === "dumb";
  const face = plain
    ? (await import("../../mode/line/frontend.ts")).lineFace(io)
    : (await import("../../mode/full/frontend.ts")).fullFace(io);
  const start = { settings: settings.value, flags, cwd };
  const stays = async () => fail("elsewhere", "This session lives in the server; leave it, and attach to another.");
  const place = {
    current: { ...start, coder, tour: false, close: () => coder.close() },
    swap: stays,
    close: () => coder.close(),
  };
  await face.begin?.(start, io);
  const task = {
    ...start,
    coder,
    tour: false,
    said: undefined,
    sessions: sessionsFolder(settings.value, io),
    reopen: stays,
    place,
  };
  const ended = await Promise.race([face.run(task, io), lost.promise]);
  if (typeof ended === "number") return ended;
  await face.abandon?.();
  complain(io, ended);
  return exit.unfinished;
};
