import { mkdirSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { Channel, type Event, memoryBlobs } from "@pith/agent";
import { systemClock } from "@pith/kit";
import type { Scratch } from "@pith/kit/test";
import type { Request } from "@pith/llm";
import { openCoder } from "../coder.ts";
import { type Coder, coderOf } from "../hall/coder.ts";
import type { House, Opening } from "../hall/hall.ts";
import type { PartRow } from "../hall/list.ts";
import { type OpenHall, openHall, openHouse } from "../hall/open.ts";
import { openChoice, type Wanted } from "../model/choice.ts";
import type { CoderOptions } from "../options.ts";
import { order } from "../order.ts";
import { openRecord, type SessionChoice } from "../session/record.ts";
import type { SettingTable, Values } from "../setting/schema.ts";
import { readSettings, type Settings } from "../setting/setting.ts";
import { settingTable } from "../setting-table.ts";

// For tests: agents without a face, in the folder `work` of a scratch folder, over scripted models.

const env = { PATH: process.env.PATH };

async function settingsIn(dir: Scratch, overrides: Values = {}, table = settingTable): Promise<Settings> {
  mkdirSync(dir.at("work"), { recursive: true });
  const settings = await readSettings(table, { cwd: dir.at("work"), home: dir.at("home"), overrides });
  if (!settings.ok) throw new Error(settings.message);
  return settings.value;
}

/** Writes a script and tells the name of its model. */
export function scriptIn(
  dir: Scratch,
  turns: readonly unknown[],
  name = "script.json",
  /** Fields of a script beside its turns. */
  more: object = {},
): string {
  writeFileSync(dir.at(name), JSON.stringify({ turns, ...more }));
  return `faux/${dir.at(name)}`;
}

/** Opens an agent as a program does. */
export async function coderIn(
  dir: Scratch,
  turns: readonly unknown[],
  { set, ...more }: Partial<CoderOptions> & { set?: Values } = {},
  script: object = {},
): Promise<Coder & { events: Event[] }> {
  const settings = await settingsIn(dir, set);
  const opened = await openCoder({
    cwd: dir.at("work"),
    home: dir.at("home"),
    userHome: dir.path,
    env,
    settings,
    model: scriptIn(dir, turns, "script.json", script),
    session: { open: "new" },
    approval: "yolo",
    asks: true,
    ...more,
  });
  if (!opened.ok) throw new Error(opened.message);
  const events: Event[] = [];
  opened.value.subscribe((event) => events.push(event));
  return Object.assign(opened.value, { events });
}

/** Opens a house. Models with `patches` in the name of their script write patches without JSON. */
export async function houseIn(
  dir: Scratch,
  set: Values = {},
  { list = order, table = settingTable }: { list?: readonly PartRow[]; table?: SettingTable } = {},
): Promise<House & AsyncDisposable> {
  const settings = await settingsIn(dir, set, table);
  const open = openHouse(list, {
    cwd: dir.at("work"),
    home: dir.at("home"),
    userHome: dir.path,
    env,
    settings,
    clock: systemClock,
    asks: true,
    after: "more",
    face: undefined,
  });
  const { models } = open.house;
  const resolve: typeof models.resolve = async (name) => {
    const resolved = await models.resolve(name);
    if (!resolved.ok || !basename(name ?? "").includes("patches")) return resolved;
    const model = { ...resolved.value.model, compat: { supportsOpenAIGrammarTools: true } };
    return { ...resolved, value: { ...resolved.value, model } };
  };
  return { ...open.house, models: { ...models, resolve }, [Symbol.asyncDispose]: () => open[Symbol.asyncDispose]() };
}

export interface Talk extends OpenHall {
  coder: Coder;
  /** Requests to the model, after the last hook. */
  requests: Request[];
  events: Event[];
}

export interface TalkOptions extends Partial<Pick<Opening, "agent" | "scope" | "after">>, Partial<Wanted> {
  model: string;
  session?: SessionChoice;
  /** Rows behind those of the list. */
  rows?: readonly PartRow[];
  /** A list in place of the product's. */
  list?: readonly PartRow[];
  /** A part of the list that is left out. */
  without?: PartRow["make"];
}

/** Opens a conversation of a house by the list. */
export async function talkIn(house: House & Partial<AsyncDisposable>, options: TalkOptions): Promise<Talk> {
  const { agent = "main", scope = "main", session = { open: "new" }, rows = [], approval = "yolo" } = options;
  const { cwd, sessions, home, clock, store, models, launch } = house;
  const blobs = memoryBlobs();
  const opened = openRecord(session, { cwd, sessions, home, terminal: undefined, blobs, sync: "turn", clock });
  if (!opened.ok) throw new Error(opened.message);
  const { journal } = opened.value;
  const channel = new Channel(journal);
  const events: Event[] = [];
  channel.subscribe((event) => events.push(event));
  const sources = { settings: store, env: house.env, models, tree: journal.tree, channel };
  const choice = await openChoice(sources, { ...options, approval });
  if (!choice.ok) throw new Error(choice.message);
  const requests: Request[] = [];
  const context = (request: Request) => {
    requests.push({ ...request, messages: [...request.messages] });
    return request;
  };
  const watch: PartRow = { reach: "every", make: () => ({ name: "watch", hooks: [{ name: "watch", context }] }) };
  const list = (options.list ?? order).filter(({ make }) => make !== options.without);
  const { asks, face, words } = launch;
  const opening = {
    agent,
    scope,
    asks,
    after: options.after ?? launch.after,
    face,
    words,
    opened: { journal, channel, choice: choice.value },
  };
  const open = openHall(house, [...list, ...rows, watch], opening);
  const close = async () => {
    await open[Symbol.asyncDispose]();
    await house[Symbol.asyncDispose]?.();
  };
  return { ...open, coder: coderOf(open, close), requests, events };
}

export const noticesOf = (events: readonly Event[]): string[] =>
  events.flatMap((event) => (event.type === "notice" ? [event.notice.text] : []));

/** The text of every result of a tool, in the order of the record. */
export const resultsOf = (coder: Pick<Coder, "path">): string[] =>
  coder
    .path()
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "toolResult"
        ? [entry.message.content.map((part) => (part.type === "text" ? part.text : "")).join("")]
        : [],
    );
