import { blobFolder, Channel, fileBlobs, type Hooks, ompBlobFolders } from "@pith/agent";
import { fail, nearest, ok, type Result, span } from "@pith/kit";
import { modelName } from "@pith/llm";
import { type Around, givenBy } from "./given.ts";
import { type Coder, coderOf } from "./hall/coder.ts";
import { openHouse } from "./hall/house.ts";
import { type OpenHall, openHall } from "./hall/open.ts";
import type { Part, Row } from "./hall/part.ts";
import { openChoice, type Wanted } from "./model/choice.ts";
import { modelsFor } from "./model/models.ts";
import { type OwnModel, withOwn } from "./model/own.ts";
import { addresses } from "./part/addresses/addresses.ts";
import { affinity } from "./part/affinity/affinity.ts";
import { arriving } from "./part/arriving/arriving.ts";
import { ask } from "./part/ask/ask.ts";
import { btw } from "./part/btw/btw.ts";
import { budget } from "./part/budget/budget.ts";
import { cacheDebug } from "./part/cache-debug/cache-debug.ts";
import { compaction } from "./part/compaction/compaction.ts";
import { context } from "./part/context/context.ts";
import { cost } from "./part/cost/cost.ts";
import { count } from "./part/count/count.ts";
import { delegate } from "./part/delegate/delegate.ts";
import { dispatch } from "./part/delegate/dispatch/dispatch.ts";
import { orchestrate } from "./part/delegate/orchestrate/orchestrate.ts";
import { discover } from "./part/discover/discover.ts";
import { editor } from "./part/editor/editor.ts";
import { fallback } from "./part/fallback/fallback.ts";
import { files } from "./part/files/files.ts";
import { handoff } from "./part/handoff/handoff.ts";
import { heal } from "./part/heal/heal.ts";
import { history } from "./part/history/history.ts";
import { jobs } from "./part/jobs/jobs.ts";
import { leave } from "./part/leave/leave.ts";
import { length } from "./part/length/length.ts";
import { library } from "./part/library/library.ts";
import { limit } from "./part/limit/limit.ts";
import { completion } from "./part/local/completion.ts";
import { crowds } from "./part/local/crowds.ts";
import { fitting } from "./part/local/fitting.ts";
import { packets } from "./part/local/packets.ts";
import { repeats } from "./part/local/repeats.ts";
import { loop } from "./part/loop/loop.ts";
import { memory } from "./part/memory/memory.ts";
import { model } from "./part/model/model.ts";
import { overflow } from "./part/overflow/overflow.ts";
import { plan } from "./part/plan/plan.ts";
import { policy } from "./part/policy/policy.ts";
import { provenance } from "./part/provenance/provenance.ts";
import { record } from "./part/record/record.ts";
import { retry } from "./part/retry/retry.ts";
import { rewind } from "./part/rewind/rewind.ts";
import { sandbox } from "./part/sandbox/sandbox.ts";
import { search } from "./part/search/search.ts";
import { secrets } from "./part/secrets/secrets.ts";
import { settings as settingsPart } from "./part/settings/settings.ts";
import { shell } from "./part/shell/shell.ts";
import { streamRules } from "./part/stream-rules/stream-rules.ts";
import { structure } from "./part/structure/structure.ts";
import { telemetry } from "./part/telemetry/telemetry.ts";
import { thinking } from "./part/thinking/thinking.ts";
import { title } from "./part/title/title.ts";
import { todo } from "./part/todo/todo.ts";
import { typed } from "./part/typed/typed.ts";
import { undo } from "./part/undo/undo.ts";
import { until } from "./part/until/until.ts";
import { verify } from "./part/verify/verify.ts";
import type { Approval } from "./policy/approval.ts";
import { openRecord, type SessionChoice } from "./session/record.ts";

/** What the agent consists of. Guards come first; at every point parts are asked in this order. */
export const order: readonly Row[] = [
  // Ends last: it tells of all that happened.
  ["every", telemetry],
  ["every", policy],
  ["every", sandbox],
  ["every", provenance],
  ["every", limit],
  ["every", budget],
  ["every", loop],
  ["every", repeats],
  ["every", crowds],
  // A history is healed before anything is tried again, and again before another model is asked.
  ["every", heal],
  // What is too long is made shorter, never tried again as it is.
  ["every", overflow],
  ["every", retry],
  ["every", fallback],
  ["every", thinking],
  ["every", affinity],
  ["every", length],
  ["every", cacheDebug],
  ["every", count],
  ["every", fitting],
  ["every", addresses],
  ["every", files],
  // Before undo: what an editor has not saved is saved first, so that one can go back to it.
  ["every", editor],
  ["every", shell],
  ["every", search],
  ["every", structure],
  ["every", discover],
  ["every", context],
  ["every", streamRules],
  ["main", arriving],
  ["main", rewind],
  ["main", memory],
  ["main", todo],
  ["main", ask],
  ["main", plan],
  ["main", btw],
  ["main", delegate],
  ["main", cost],
  // Before the work is checked: a small model is asked whether it is done at all.
  ["every", completion],
  ["main", verify],
  ["main", until],
  // Behind what checks the work: a review is of what has passed.
  ["main", orchestrate],
  ["main", dispatch],
  ["every", undo],
  ["main", settingsPart],
  ["main", typed],
  ["main", jobs],
  ["main", record],
  ["main", history],
  ["main", title],
  ["main", handoff],
  ["main", model],
  ["main", leave],
  // What files bring never takes the place of what is there.
  ["main", library],
  // Behind all that is said before a step.
  ["every", packets],
  // It sees what all others made of a result.
  ["every", secrets],
  // Last: before a step all others have said what they have to say.
  ["every", compaction],
];

/** Only the model has to be named; `given.ts` says what the rest is when it is not. */
export interface CoderOptions extends Around, Omit<Wanted, "model" | "approval"> {
  /** By any name that `--model` takes (undefined: the configured one), or one that the program brings along. */
  model: string | OwnModel | undefined;
  /** How much runs without a question; without, what the settings say. */
  approval?: Approval | undefined;
  /** Where the conversation is kept; without, in memory. */
  session?: SessionChoice | undefined;
  /** More about a session that another process has, where somebody knows that process. */
  held?: ((message: string) => Promise<string | undefined>) | undefined;
  /** What the program adds: tools, hooks, commands, words for the model. Ours stand before them. */
  parts?: readonly (Part | Row[1])[] | undefined;
  /** Judges every call before it runs, beside our own guards: the strictest word counts. */
  policy?: Hooks["call"] | undefined;
}

export type OpenFailure = "model" | "session" | "tools" | "settings";

/** Opens the conversation that a person (or a program) holds. */
export async function openCoder(options: CoderOptions): Promise<Result<Coder, OpenFailure>> {
  using _ = span("open coder");
  const given = givenBy(options);
  if (!given.ok) return given;
  const named = typeof options.model === "object" ? undefined : options.model;
  const own = typeof options.model === "object" ? withOwn(options.model, modelsFor(given.value)) : undefined;
  const house = openHouse({ ...given.value, models: own?.models });
  const { settings, models, home, userHome, env, sessions, cwd, clock } = house;
  const recordOpen = span("record");
  const opened = openRecord(options.session ?? { open: "none" }, {
    cwd,
    sessions,
    home,
    terminal: options.terminal,
    blobs: fileBlobs(blobFolder(home), () => clock.now(), ompBlobFolders(userHome, env)),
    sync: settings.get("session.sync"),
    clock,
    mask: house.secrets.maskAll,
  });
  recordOpen();
  const wordsOf = async (text: string): Promise<string> => (await options.held?.(text)) ?? text;
  if (!opened.ok) {
    await house[Symbol.asyncDispose]();
    return fail(opened.kind, await wordsOf(opened.message));
  }
  const { journal, notes } = opened.value;
  const channel = new Channel(journal, { all: house.secrets.maskAll, deltas: house.secrets.deltas() });
  for (const note of notes) channel.notify({ level: "info", text: await wordsOf(note) });
  if (options.wire) options.wire.lost ??= (text) => channel.notify({ level: "error", text });
  const modelFound = span("model");
  const sources = { settings, env, models, tree: journal.tree, channel };
  const { tools, maxSteps, maxCost, maxTokens, until, approval = settings.get("approval.mode") } = options;
  const limits = { tools, maxSteps, maxCost, maxTokens, until };
  const wanted = { model: own ? modelName(own.model) : named, approval, ...limits };
  const choice = await openChoice(sources, wanted);
  modelFound();
  if (!choice.ok) {
    await journal.close();
    await house[Symbol.asyncDispose]();
    return choice;
  }
  using _parts = span("parts");
  const main = { agent: "main", scope: "main", journal, channel, choice: choice.value } as const;
  let hall: OpenHall;
  try {
    hall = openHall(house, rowsOf(options), main);
  } catch (thrown) {
    // A part of the program's own is broken: that is for the program to hear, and nothing is left standing.
    await journal.close();
    await house[Symbol.asyncDispose]();
    throw thrown;
  }
  const coder = coderOf(house, hall);
  const [odd] = hall.assembly.missing();
  const [twice] = hall.assembly.taken;
  if (odd === undefined && twice === undefined) return ok(coder);
  await coder.close();
  return fail("tools", odd === undefined ? `there is a tool "${twice}" already` : noTool(odd, hall.assembly.known));
}

/** What a program adds comes behind all of ours, but for what keeps secrets. */
function rowsOf({ parts = [], policy }: CoderOptions): readonly Row[] {
  const guard: Part = { name: "the program's policy", hooks: [{ name: "the program's policy", call: policy }] };
  const rows = parts.map((part): Row => ["main", typeof part === "function" ? part : () => part]);
  return [...(policy ? [["every", () => guard] as const] : []), ...order.slice(0, -1), ...rows, ...order.slice(-1)];
}

function noTool(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `there is no tool "${name}"${meant ? `; did you mean ${meant}?` : `; there are ${known.join(", ")}`}`;
}
