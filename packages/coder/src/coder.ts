import { blobFolder, Channel, fileBlobs, ompBlobFolders } from "@pith/agent";
import { chooseWay } from "@pith/host";
import { fail, nearest, ok, type Result, span } from "@pith/kit";
import { type Model, modelName } from "@pith/llm";
import { givenBy } from "./given.ts";
import { type Coder, coderOf } from "./hall/coder.ts";
import type { House, Opening } from "./hall/hall.ts";
import type { PartRow } from "./hall/list.ts";
import { openHall, openHouse } from "./hall/open.ts";
import type { Part } from "./hall/part.ts";
import { openChoice } from "./model/choice.ts";
import { modelsFor } from "./model/models.ts";
import { withOwn } from "./model/own.ts";
import { type CoderOptions, checkOptions } from "./options.ts";
import { order } from "./order.ts";
import { telemetry } from "./part/telemetry/telemetry.ts";
import { openRecord } from "./session/record.ts";

export type OpenFailure = "option" | "model" | "session" | "tools" | "settings";

/** Opens the conversation that a person (or a program) holds. */
export async function openCoder(options: CoderOptions): Promise<Result<Coder, OpenFailure>> {
  using _ = span("open coder");
  const checked = checkOptions(options);
  if (!checked.ok) return checked;
  const wrong = options.env?.PITH_FS && chooseWay(options.env.PITH_FS);
  if (wrong) return fail("option", wrong);
  const given = givenBy(options);
  if (!given.ok) return given;
  const own = typeof options.model === "object" ? withOwn(options.model, modelsFor(given.value)) : undefined;
  await using stack = new AsyncDisposableStack();
  const { house } = stack.use(openHouse(order, { ...given.value, models: own?.models }));
  const recorded = await recordFor(house, options);
  if (!recorded.ok) return recorded;
  const { journal, channel } = recorded.value;
  stack.defer(() => journal.close());
  const choice = await choiceFor(house, recorded.value, options, own?.model);
  if (!choice.ok) return choice;
  using _parts = span("parts");
  const { asks, after, face, words } = given.value;
  const opening = { agent: "main", scope: "main", asks, after, face, words } as const;
  const open = stack.use(
    openHall(house, rowsOf(options), { ...opening, opened: { journal, channel, choice: choice.value } }),
  );
  const [odd] = open.assembly.missing();
  if (odd !== undefined) return fail("tools", noTool(odd, open.assembly.known));
  const [twice] = open.assembly.taken;
  if (twice !== undefined) return fail("tools", `there is a tool "${twice}" already`);
  const closing = stack.move();
  return ok(coderOf(open, () => closing.disposeAsync()));
}

/** Opens the record, and the channel that announces its entries. */
async function recordFor(house: House, options: CoderOptions) {
  using _ = span("record");
  const { store, home, userHome, env, sessions, cwd, clock, secrets } = house;
  const opened = openRecord(options.session ?? { open: "none" }, {
    cwd,
    sessions,
    home,
    terminal: options.terminal,
    blobs: fileBlobs(blobFolder(home), () => clock.now(), ompBlobFolders(userHome, env)),
    sync: store.get("session.sync"),
    clock,
    mask: secrets.maskAll,
  });
  const explain = async (text: string): Promise<string> => (await options.held?.(text)) ?? text;
  if (!opened.ok) return fail(opened.kind, await explain(opened.message));
  const { journal, notes } = opened.value;
  const channel = new Channel(journal, { all: secrets.maskAll, deltas: secrets.deltas() });
  for (const note of notes) channel.notify({ level: "info", text: await explain(note) });
  if (options.wire) options.wire.lost ??= (text) => channel.notify({ level: "error", text });
  return ok({ journal, channel });
}

/** Finds the model that is asked, and how. */
function choiceFor(
  { store, env, models }: House,
  { journal, channel }: Pick<Opening["opened"], "journal" | "channel">,
  options: CoderOptions,
  own: Model | undefined,
) {
  using _ = span("model");
  const { tools, maxSteps, maxCost, maxTokens, until, approval } = options;
  const model = own ? modelName(own) : typeof options.model === "object" ? undefined : options.model;
  const sources = { settings: store, env, models, tree: journal.tree, channel };
  return openChoice(sources, { model, approval, tools, maxSteps, maxCost, maxTokens, until });
}

/** Adds a program's own parts behind all of ours but the last, and its policy before them. */
function rowsOf({ parts = [], policy }: CoderOptions): readonly PartRow[] {
  const guard: Part = { name: "the program's policy", hooks: [{ name: "the program's policy", call: policy }] };
  const guards: PartRow[] = policy ? [{ reach: "every", make: () => guard }] : [];
  const own = parts.map((part): PartRow => ({ reach: "main", make: typeof part === "function" ? part : () => part }));
  const first = order.findIndex(({ make }) => make === telemetry);
  return [...order.slice(0, first), ...guards, ...order.slice(first, -1), ...own, ...order.slice(-1)];
}

function noTool(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `there is no tool "${name}"${meant ? `; did you mean ${meant}?` : `; there are ${known.join(", ")}`}`;
}
