import { existsSync, rmSync } from "node:fs";
import {
  artifactsOf,
  type Entry,
  type EntryDraft,
  type Header,
  type Journal,
  linkArtifacts,
  rememberFolder,
  rememberTerminalSession,
} from "@pith/agent";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import { againOf, statesIn } from "../../hall/keeping.ts";
import { Marks } from "../../policy/provenance.ts";
import { beforeDraft } from "../../session/before.ts";
import { nextRecord } from "../../session/record.ts";

export type HandoverNeeds =
  | ("channel" | "conversation" | "cwd" | "directory" | "home" | "journal")
  | ("keeping" | "launch" | "sessions" | "settings" | "snapshots");

/**
 * Goes on in a new session that begins with a document. The new session takes over the directory beside the record, the
 * state of all parts and waiting input; a running turn and all listeners go on there.
 */
export async function handOver(hall: Pick<Hall, HandoverNeeds>, document: string): Promise<Result<Header, "unable">> {
  const { journal, conversation, directory, snapshots, home, cwd, sessions, settings } = hall;
  const from = journal.file;
  if (from === undefined) return fail("unable", "nothing is recorded that another session could go on from");
  const next = nextRecord(journal, from, { cwd, sessions, sync: settings.get("session.sync") });
  const file = next.file ?? "";
  await snapshots.flush();
  try {
    linkArtifacts(from, file);
  } catch (error) {
    const text = `The directory beside the session could not be taken along: ${messageOf(error)}`;
    hall.channel.notify({ level: "warn", text });
  }
  const farewell: EntryDraft = { type: "custom", customType: "pith.handoff", data: { session: next.header.id, file } };
  const states = statesIn(journal.tree, [...beforeDocument, ...hall.keeping.states]);
  // The state of parts follows the document, so that it is still there when one goes back to the document.
  const isState = (entry: Entry) => entry.type === "custom" && !beforeDocument.includes(entry.customType);
  const drafts = [
    ...states.filter((entry) => !isState(entry)).map(againOf),
    handoffDraft(journal, document),
    ...states.filter(isState).map(asNew),
    beforeDraft(journal),
  ];
  if (!(await conversation.handOver(next, drafts, farewell, () => directory.moveTo(file)))) {
    const made = artifactsOf(file);
    if (existsSync(made)) rmSync(made, { recursive: true, force: true });
    return fail("unable", `${file} cannot be written`);
  }
  rememberTerminalSession(home, hall.launch.terminal, cwd, file);
  rememberFolder(home, file);
  return ok(next.header);
}

/** Entries that come before the document. */
const beforeDocument = ["pith.mode", "pith.prompt"];

/** An entry for another session, where it repeats no earlier one. */
function asNew(entry: Entry): EntryDraft {
  const draft = againOf(entry);
  if (draft.type !== "custom") return draft;
  const { repeats: _, ...fresh } = draft;
  return fresh;
}

/** The entry of the document, marked with what strangers wrote on the path that it summarizes. */
function handoffDraft({ tree }: Journal, content: string): EntryDraft {
  const origin = new Marks(tree).newest;
  const details = origin && { meta: { origin } };
  return { type: "custom_message", customType: "handoff", content, display: true, ...(details && { details }) };
}
