import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { type Approval, approvals, type Coder } from "@pith/coder";
import { type Effort, efforts, loadAdmin, modelName } from "@pith/llm";
import type { Io } from "../../io/io.ts";

const about: Readonly<Record<Approval, string>> = {
  ask: "Asks before every write and every command",
  write: "Edits in the project run; commands that may change something ask",
  auto: "What is confined or harmless runs; the rest asks",
  yolo: "Everything runs unasked",
  plan: "Looks and plans; changes nothing",
};

const modeList = approvals.map((id) => ({ id, name: id, description: about[id] }));

export const modesOf = (coder: Coder): SessionModeState => ({
  currentModeId: coder.choice.approval,
  availableModes: modeList,
});

/**
 * What a person may choose while a conversation goes on. Which models there are is looked for once, and nobody waits
 * for that: servers that do not answer would make every session late.
 */
export class ConfigOptions {
  readonly #io: Io;
  #models: readonly { value: string; name: string }[] = [];
  #found: Promise<void> | undefined;

  constructor(io: Io) {
    this.#io = io;
  }

  /** Resolves when all models that can be used are known. */
  found(): Promise<void> {
    this.#found ??= usable(this.#io).then((models) => {
      this.#models = models;
    });
    return this.#found;
  }

  of(coder: Coder): SessionConfigOption[] {
    const { approval, effort } = coder.choice;
    const models = this.#models;
    const now = modelName(coder.model);
    const known = models.some(({ value }) => value === now);
    return [
      {
        id: "model",
        name: "Model",
        category: "model",
        type: "select",
        currentValue: now,
        options: known ? [...models] : [{ value: now, name: coder.model.name }, ...models],
      },
      {
        id: "thought_level",
        name: "Thinking",
        category: "thought_level",
        type: "select",
        currentValue: effort ?? "off",
        options: efforts.map((value) => ({ value, name: value })),
      },
      {
        id: "mode",
        name: "Approval",
        category: "mode",
        type: "select",
        currentValue: approval,
        options: modeList.map(({ id, name, description }) => ({ value: id, name, description })),
      },
    ];
  }
}

async function usable(io: Io): Promise<{ value: string; name: string }[]> {
  const { survey } = await loadAdmin();
  const found = await survey({ env: io.env, home: io.home });
  if (!found.ok) return [];
  const models = found.value.vendors.flatMap(({ usable, models }) => (usable ? models : []));
  return models.map((model) => ({ value: modelName(model), name: `${model.name} (${model.vendor})` }));
}

/** Says what is wrong with a value, if anything. */
export async function setOption(coder: Coder, option: string, value: unknown): Promise<string | undefined> {
  if (typeof value !== "string") return "the value must be one of those that were offered";
  switch (option) {
    case "model": {
      const used = await coder.use(value);
      return used.ok ? undefined : used.message;
    }
    case "thought_level":
      if (!efforts.includes(value as Effort)) return `the levels are ${efforts.join(", ")}`;
      coder.configure({ thinking: value as Effort });
      return undefined;
    case "mode":
      if (!approvals.includes(value as Approval)) return `the modes are ${approvals.join(", ")}`;
      coder.configure({ approval: value as Approval });
      return undefined;
    default:
      return `there is no option ${option}`;
  }
}
