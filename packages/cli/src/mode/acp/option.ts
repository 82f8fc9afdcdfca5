import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { type Approval, approvals, type Coder } from "@pith/coder";
import { type Effort, efforts, modelName } from "@pith/llm";
import type { Io } from "../../io/io.ts";
import { usableModels } from "../../open/usable-models.ts";

const about: Readonly<Record<Approval, string>> = {
  ask: "Asks before every write and every command",
  write: "Edits in the project run; commands that may change something ask",
  auto: "What is confined or harmless runs; the rest asks",
  yolo: "Run everything without asking, except what asks in every mode",
  plan: "Looks and plans; changes nothing",
};

const modes = approvals.map((id) => ({ id, name: id, description: about[id] }));

export const modesOf = ({ choice }: Coder): SessionModeState => ({
  currentModeId: choice.approval,
  availableModes: modes,
});

/**
 * Options that a person may choose while a conversation goes on. Models are looked for once, and no session waits for
 * that: a server that does not answer would make every one late.
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
    this.#found ??= usableModels(this.#io).then((usable) => {
      const models = usable.ok ? usable.value : [];
      this.#models = models.map((model) => ({ value: modelName(model), name: `${model.name} (${model.vendor})` }));
    });
    return this.#found;
  }

  of({ model, choice: { approval, effort = "off" } }: Coder): SessionConfigOption[] {
    const select = (id: string, name: string, now: string, options: { value: string; name: string }[]) =>
      ({ id, name, category: id, type: "select", currentValue: now, options }) satisfies SessionConfigOption;
    const now = modelName(model);
    const present = this.#models.some(({ value }) => value === now) ? [] : [{ value: now, name: model.name }];
    return [
      select("model", "Model", now, [...present, ...this.#models]),
      select(
        "thought_level",
        "Thinking",
        effort,
        efforts.map((value) => ({ value, name: value })),
      ),
      select(
        "mode",
        "Approval",
        approval,
        modes.map(({ id: value, ...mode }) => ({ value, ...mode })),
      ),
    ];
  }
}

/** Changes an option; gives what is wrong with the value, if anything. */
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
