import { Registry, readArguments, refusal, resultFields, type Tool } from "@pith/agent";
import { messageOf } from "@pith/kit";
import type { ToolResultMessage } from "@pith/llm";
import type { Settings } from "./setting/setting.ts";
import { builtinTools } from "./tools/index.ts";

export interface ToolboxParts {
  cwd: string;
  home: string;
  userHome: string;
  env: Readonly<Record<string, string | undefined>>;
  settings: Settings;
  /** Beside it stand the artifacts; undefined keeps none. */
  journalFile?: string | undefined;
}

/** The tools a person can run by hand: as the model would, without a model and without questions. */
export interface Toolbox {
  names(): string[];
  about(name: string): string | undefined;
  run(name: string, input: unknown, signal: AbortSignal): Promise<Pick<ToolResultMessage, "content" | "details" | "isError">>;
}

export function openToolbox(parts: ToolboxParts): Toolbox {
  const tools = new Registry(buildTools(parts));
  return {
    names: () => tools.names,
    about: (name) => tools.get(name)?.about,
    async run(name, input, signal) {
      const own = tools.get(name);
      if (!own) return resultFields(refusal(`There is no tool "${name}". Available: ${tools.names.join(", ")}.`));
      const checked = await readArguments(own, { type: "toolCall", id: "", name, arguments: input as Record<string, unknown> });
      if (!checked.ok) return resultFields(refusal(checked.message));
      try {
        return resultFields(await own.run(checked.value, { id: "", signal, progress: () => {} }));
      } catch (error) {
        return resultFields(refusal(messageOf(error)));
      }
    },
  };
}
