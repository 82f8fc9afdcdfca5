import { type AgentReport, fileStorage, type Hook, memoryStorage } from "@pith/agent";
import { fail, fill, type Result } from "@pith/kit";
import { modelName } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";
import type { OpenHall } from "../../hall/open.ts";
import type { SettingView } from "../../setting/setting.ts";
import { agentPrompt, modes } from "./mode.ts";
import last from "./prompt/last.md" with { type: "text" };
import type { Task } from "./run-subagent.ts";

export interface ChildNeeds
  extends Pick<Hall, "begin" | "channel" | "choice" | "cwd" | "journal" | "settings" | "tools"> {
  /** Whom a person wants to be asked. */
  explorer: { model: string | undefined };
  /** Why nothing more may be spent by the run that this belongs to. */
  spentUp(): string | undefined;
  /** Whom one could not ask, and the user was told. */
  absent: Set<string>;
}

/** Opens the conversation of a sub-agent: its own record, its own context, nothing that it may change. */
export async function openChild(
  hall: ChildNeeds,
  { mode }: Pick<Task, "mode">,
  output: AgentReport | undefined,
): Promise<Result<OpenHall, "model">> {
  const { journal: parent, cwd, choice, settings, channel, explorer, absent } = hall;
  const { maxCost, maxTokens } = choice.wanted;
  const { steps } = modes[mode];
  const tools = toolsOf(hall, mode);
  const begin = async (model: string) => {
    const storage = () => (output ? fileStorage(output.session) : memoryStorage());
    const journal = parent.next(storage, { cwd, parentSession: parent.file ?? parent.header.id });
    // Who sends others has a way to work that is not theirs.
    const profile = choice.profile === "orchestrator" ? "local" : undefined;
    const wanted = { model, approval: "plan", tools, maxSteps: steps, maxCost, maxTokens, profile } as const;
    const words = (own: SettingView) =>
      agentPrompt(mode, new Set([...tools, ...(own.get("local.completion") ? ["local.completion"] : [])]));
    const child = await hall.begin({ agent: output?.id ?? mode, journal, wanted, words });
    if (child.ok) child.value.hall.points.add([bounds(hall, child.value, steps)]);
    else await journal.close();
    return child;
  };
  // The explorer of this session, the role, else whoever the conversation itself asks.
  const same = modelName(choice.model);
  const named = explorer.model ?? settings.get("roles.explore");
  if (named === undefined && choice.model.vendor === "none") return fail("model", "there is no model to ask here");
  if (named === undefined || named === same) return begin(same);
  const begun = await begin(named);
  if (begun.ok) return begun;
  const [why = ""] = begun.message.split(/[;\n]/);
  if (!absent.has(named))
    channel.notify({ level: "warn", text: `Sub-agents ask ${same}, not ${named}: ${why.replace(/\.$/, "")}.` });
  absent.add(named);
  return begin(same);
}

/** The tools of a mode, as far as they are there: nobody gets through a sub-agent what was taken from them. */
const toolsOf = ({ tools, settings }: ChildNeeds, mode: Task["mode"]): string[] =>
  modes[mode].tools.filter((name) => settings.get(`${name}.enabled`) && (name !== "bash" || tools.get(name)));

/** What the run may spend is spent by its sub-agents too; and who has one request left is told to report. */
function bounds({ spentUp }: ChildNeeds, child: OpenHall, steps: number): Hook {
  let isLast = false;
  return {
    name: "sub-agent",
    step({ step }) {
      const message = spentUp();
      if (message !== undefined) return { do: "stop", message };
      isLast = step === steps - 1;
      const content = fill(last, { steps }).trim();
      if (isLast)
        child.hall.channel.record({ type: "custom_message", customType: "pith.note", content, display: false });
      return { do: "go" };
    },
    context: (request) => (isLast && request.purpose === "main" ? { ...request, calls: "none" } : request),
  };
}
