import {
  Channel,
  isOutcome,
  Journal,
  memoryStorage,
  type Outcome,
  readArguments,
  refusal,
  resultFields,
  unknownTool,
  withNote,
} from "@pith/agent";
import { messageOf } from "@pith/kit";
import type { Model, ToolResultMessage } from "@pith/llm";
import type { Report } from "./capability/report.ts";
import { type Around, givenBy } from "./given.ts";
import { openHall, openHouse } from "./hall/open.ts";
import { Choice } from "./model/choice.ts";
import { unknownModel } from "./model/own.ts";
import { checkOptions } from "./options.ts";
import { order } from "./order.ts";

export interface ToolboxOptions
  extends Pick<Around, "cwd" | "home" | "userHome" | "env" | "commandEnv" | "settings" | "clock"> {
  /** Notifies people. */
  tell?(text: string): void;
}

/** The tools a person can run by hand: as the model would, without a model and without questions. */
export interface Toolbox extends AsyncDisposable {
  names(): string[];
  about(name: string): string | undefined;
  /** Reports what was found in configuration. */
  sources(): Promise<Report>;
  run(name: string, input: unknown, signal: AbortSignal): Promise<Result>;
}

type Result = Pick<ToolResultMessage, "content" | "details" | "isError">;

/** The parts of the list without a conversation. */
export function openToolbox({ tell, ...options }: ToolboxOptions): Toolbox {
  const checked = checkOptions(options);
  const given = checked.ok ? givenBy({ ...options, after: "end" }) : checked;
  if (!given.ok) throw new TypeError(given.message);
  const opened = openHouse(order, given.value);
  const { house } = opened;
  const { clock, cwd, store, env, models } = house;
  // One session for all calls, thrown away with the box: what one call cut, the next can read.
  const journal = Journal.create({ clock, storage: () => memoryStorage() }, { cwd });
  const channel = new Channel(journal);
  channel.subscribe((event) => event.type === "notice" && tell?.(event.notice.text));
  const sources = { settings: store, env, models, tree: journal.tree, channel };
  const choice = new Choice(sources, { model: undefined, approval: "yolo" }, { model: nobody });
  const open = openHall(house, order, {
    agent: "main",
    scope: "main",
    asks: false,
    after: "end",
    face: undefined,
    words: undefined,
    opened: { journal, channel, choice },
  });
  const { tools } = open.hall;
  return {
    names: () => tools.names,
    about: (name) => tools.get(name)?.about,
    sources: async () => (await import("./capability/report.ts")).reportOf(house.capabilities),
    run: async (name, input, signal) => resultFields(await run(name, input, signal)),
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };

  async function run(name: string, input: unknown, signal: AbortSignal): Promise<Outcome> {
    const call = { type: "toolCall" as const, id: "", name, arguments: input as Record<string, unknown> };
    const tool = tools.get(name);
    if (!tool) return refusal(unknownTool(call, tools));
    const checked = readArguments(tool, call);
    if (!checked.ok) return refusal(checked.message);
    try {
      const { input, note } = checked.value;
      const intent = await tool.prepare(input, { signal, without: [] });
      return isOutcome(intent) ? intent : withNote(await intent.run({ id: "", signal, progress: () => {} }), note);
    } catch (error) {
      return refusal(messageOf(error));
    }
  }
}

/** Stands for a model, which a toolbox never asks. */
const nobody: Model = { ...unknownModel, vendor: "none", id: "none", api: "none", name: "none", contextWindow: 0 };
