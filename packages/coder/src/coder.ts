import { blobFolder, Channel, fileBlobs, relativesBlobs } from "@pith/agent";
import { type Clock, fail, nearest, ok, type Result, span, systemClock } from "@pith/kit";
import { type Coder, coderOf } from "./hall/coder.ts";
import { type HouseOptions, openHouse } from "./hall/house.ts";
import { openHall } from "./hall/open.ts";
import type { Row } from "./hall/part.ts";
import { openChoice, type Wanted } from "./model/choice.ts";
import { addresses } from "./part/addresses.ts";
import { affinity } from "./part/affinity.ts";
import { arriving } from "./part/arriving.ts";
import { ask } from "./part/ask.ts";
import { btw } from "./part/btw/btw.ts";
import { budget } from "./part/budget.ts";
import { cacheDebug } from "./part/cache-debug.ts";
import { confine } from "./part/confine.ts";
import { context } from "./part/context.ts";
import { cost } from "./part/cost.ts";
import { count } from "./part/count.ts";
import { discover } from "./part/discover.ts";
import { fallback } from "./part/fallback.ts";
import { files } from "./part/files.ts";
import { heal } from "./part/heal.ts";
import { history } from "./part/history.ts";
import { jobs } from "./part/jobs/jobs.ts";
import { leave } from "./part/leave.ts";
import { length } from "./part/length.ts";
import { library } from "./part/library/library.ts";
import { limit } from "./part/limit.ts";
import { model } from "./part/model.ts";
import { plan } from "./part/plan/plan.ts";
import { policy } from "./part/policy.ts";
import { provenance } from "./part/provenance.ts";
import { record } from "./part/record.ts";
import { retry } from "./part/retry.ts";
import { rewind } from "./part/rewind/rewind.ts";
import { search } from "./part/search.ts";
import { secrets } from "./part/secrets.ts";
import { settings as settingsPart } from "./part/settings.ts";
import { shell } from "./part/shell.ts";
import { structure } from "./part/structure/structure.ts";
import { thinking } from "./part/thinking.ts";
import { title } from "./part/title/title.ts";
import { todo } from "./part/todo/todo.ts";
import { typed } from "./part/typed.ts";
import { undo } from "./part/undo/undo.ts";
import { openRecord, type SessionChoice } from "./session/record.ts";

/** What the agent consists of. Guards come first; at every point parts are asked in this order. */
export const order: readonly Row[] = [
  ["every", policy],
  ["every", confine],
  ["every", provenance],
  ["every", limit],
  ["every", budget],
  // A history is healed before anything is tried again, and again before another model is asked.
  ["every", heal],
  ["every", retry],
  ["every", fallback],
  ["every", thinking],
  ["every", affinity],
  ["every", length],
  ["every", cacheDebug],
  ["every", count],
  ["every", addresses],
  ["every", files],
  ["every", shell],
  ["every", search],
  ["every", structure],
  ["every", discover],
  ["every", context],
  ["main", arriving],
  ["main", rewind],
  ["main", todo],
  ["main", ask],
  ["main", plan],
  ["main", btw],
  ["main", cost],
  ["every", undo],
  ["main", settingsPart],
  ["main", typed],
  ["main", jobs],
  ["main", record],
  ["main", history],
  ["main", title],
  ["main", model],
  ["main", leave],
  // What files bring never takes the place of what is there.
  ["main", library],
  // Last: it sees what all others made of a result.
  ["every", secrets],
];

export interface CoderOptions extends Omit<HouseOptions, "clock" | "after" | "face">, Wanted {
  session: SessionChoice;
  clock?: Clock;
  after?: HouseOptions["after"];
  face?: HouseOptions["face"];
  /** What the terminal is known by, where there is one. */
  terminal?: string;
}

export type OpenFailure = "model" | "session" | "tools";

/** Opens the conversation that a person (or a program) holds. */
export async function openCoder(options: CoderOptions): Promise<Result<Coder, OpenFailure>> {
  using _ = span("open coder");
  const { clock = systemClock, after = "more", face } = options;
  const house = openHouse({ ...options, clock, after, face });
  const { settings, models, home, sessions, cwd } = house;
  const recordOpen = span("record");
  const opened = openRecord(options.session, {
    cwd,
    sessions,
    home,
    terminal: options.terminal,
    blobs: fileBlobs(blobFolder(home), () => clock.now(), relativesBlobs(options.userHome, options.env)),
    sync: settings.get("session.sync"),
    clock,
    mask: house.secrets.maskAll,
  });
  recordOpen();
  if (!opened.ok) {
    await house[Symbol.asyncDispose]();
    return opened;
  }
  const { journal, notes } = opened.value;
  const channel = new Channel(journal, house.secrets.maskAll);
  for (const text of notes) channel.tell({ level: "info", text });
  const modelFound = span("model");
  const sources = { settings, env: options.env, models, tree: journal.tree, channel };
  const choice = await openChoice(sources, options);
  modelFound();
  if (!choice.ok) {
    await journal.close();
    await house[Symbol.asyncDispose]();
    return choice;
  }
  using _parts = span("parts");
  const hall = openHall(house, order, { agent: "main", scope: "main", journal, channel, choice: choice.value });
  const coder = coderOf(house, hall);
  const [odd] = hall.assembly.missing();
  if (odd === undefined) return ok(coder);
  await coder.close();
  return fail("tools", noTool(odd, hall.assembly.known));
}

function noTool(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `there is no tool "${name}"${meant ? `; did you mean ${meant}?` : `; there are ${known.join(", ")}`}`;
}
