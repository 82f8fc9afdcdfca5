import { existsSync, rmSync } from "node:fs";
import {
  artifactsOf,
  type Conversation,
  type Entry,
  type EntryDraft,
  type Header,
  type Journal,
  linkArtifacts,
  rememberFolder,
  rememberTerminalSession,
} from "@pith/agent";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import { againOf, type Keeping, statesIn } from "../../hall/keeping.ts";
import { Marks } from "../../policy/provenance.ts";
import { beforeDraft } from "../../session/before.ts";
import type { Beside } from "../../session/directory.ts";
import { nextRecord, type RecordOptions } from "../../session/record.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";

export interface HandoverNeeds extends Pick<RecordOptions, "cwd" | "sessions" | "home" | "sync"> {
  terminal?: string | undefined;
  journal: Journal;
  conversation: Conversation;
  beside: Beside;
  snapshots: Snapshots;
  /** What outlives a conversation of all its parts. */
  keeping: Keeping;
  /** Something people should know. */
  tell(text: string): void;
}

/**
 * Goes on in a new session that begins with a document. It has what the old one keeps beside its record, the state of
 * all parts and the input that waits; whoever talks, runs or listens here goes on there without a break.
 */
export async function handOver(needs: HandoverNeeds, document: string): Promise<Result<Header, "unable">> {
  const { journal, conversation, beside, snapshots, home, cwd } = needs;
  const from = journal.file;
  if (from === undefined) return fail("unable", "nothing is recorded that another session could go on from");
  const next = nextRecord(journal, from, needs);
  const file = next.file ?? "";
  await snapshots.flush();
  try {
    linkArtifacts(from, file);
  } catch (error) {
    needs.tell(`What stands beside the session could not be taken along: ${messageOf(error)}`);
  }
  const farewell: EntryDraft = { type: "custom", customType: "pith.handoff", data: { session: next.header.id, file } };
  const states = statesIn(journal.tree, [...told, ...needs.keeping.states]);
  // The state of parts stands behind the document: who goes back to a checkpoint goes back to it.
  const isState = (entry: Entry) => entry.type === "custom" && !told.includes(entry.customType);
  const drafts = [
    ...states.filter((entry) => !isState(entry)).map(againOf),
    handoffDraft(journal, document),
    ...states.filter(isState).map(asNew),
    beforeDraft(journal),
  ];
  if (!(await conversation.handOver(next, drafts, farewell, () => beside.become(file)))) {
    const made = artifactsOf(file);
    if (existsSync(made)) rmSync(made, { recursive: true, force: true });
    return fail("unable", `${file} cannot be written`);
  }
  rememberTerminalSession(home, needs.terminal, cwd, file);
  rememberFolder(home, file);
  return ok(next.header);
}

/** What was told before the conversation, and how it is held. */
const told = ["pith.mode", "pith.prompt"];

/** In another session it repeats nothing. */
function asNew(entry: Entry): EntryDraft {
  const draft = againOf(entry);
  if (draft.type !== "custom") return draft;
  const { repeats: _, ...fresh } = draft;
  return fresh;
}

/** The document says what was on the way that it sums up. */
function handoffDraft({ tree }: Journal, content: string): EntryDraft {
  const mark = new Marks(tree).upTo().at(-1);
  const origin = mark && { from: mark.from, what: mark.what };
  return {
    type: "custom_message",
    customType: "handoff",
    content,
    display: true,
    ...(origin && { details: { meta: { origin } } }),
  };
}
