import { type AgentReport, fileStorage, type Hook, memoryStorage } from "@pith/agent";
import { fail, fill, type Result } from "@pith/kit";
import { modelName } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";
import type { OpenHall } from "../../hall/open.ts";
import type { Choice } from "../../model/choice.ts";
import type { Approval } from "../../policy/approval.ts";
import type { SettingView } from "../../setting/setting.ts";
import { agentPrompt, modes } from "./mode.ts";
import last from "./prompt/last.md" with { type: "text" };
import type { Task } from "./run-subagent.ts";
import { reportNote } from "./unasked.ts";

export interface ChildNeeds
  extends Pick<Hall, "begin" | "channel" | "choice" | "cwd" | "journal" | "settings" | "tools"> {
  /** The model that the user has chosen for sub-agents. */
  explorer: { model: string | undefined };
  /** The reason why nothing more may be spent, if the budget is used up. */
  spentUp(): string | undefined;
  /** Models that cannot be asked; the user was told. */
  absent: Set<string>;
}

/** Opens the conversation of a sub-agent, in plan mode and with a record of its own. */
export async function openChild(
  hall: ChildNeeds,
  { mode, title }: Pick<Task, "mode" | "title">,
  output: AgentReport | undefined,
): Promise<Result<OpenHall, "model">> {
  const { journal: parent, cwd, choice, settings, channel, explorer, absent } = hall;
  const { maxCost, maxTokens } = choice.wanted;
  const { steps } = modes[mode];
  const tools = toolsOf(hall, mode);
  const begin = async (model: string) => {
    const storage = () => (output ? fileStorage(output.session) : memoryStorage());
    const journal = parent.next(storage, { cwd, parentSession: parent.file ?? parent.header.id });
    // The profile of an orchestrator does not fit its sub-agents.
    const profile = choice.profile === "orchestrator" ? ("local" as const) : undefined;
    const wanted = { model, approval: approvalUnder(choice), tools, maxSteps: steps, maxCost, maxTokens, profile };
    const words = (own: SettingView) =>
      agentPrompt(mode, new Set([...tools, ...(own.get("local.completion") ? ["local.completion"] : [])]));
    const child = await hall.begin({ agent: output?.id ?? mode, name: `Sub-agent ${title}`, journal, wanted, words });
    if (child.ok) child.value.hall.points.add([limits(hall, child.value, steps)]);
    else await journal.close();
    return child;
  };
  // The chosen explorer, else the configured one, else the model of the conversation.
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

/** Gives a sub-agent at most the mode of its parent: it changes nothing, and asks about every command where that does. */
const approvalUnder = ({ approval }: Pick<Choice, "approval">): Approval => (approval === "ask" ? "ask" : "plan");

/** The tools of a mode that are not switched off here. */
const toolsOf = ({ tools, settings }: ChildNeeds, mode: Task["mode"]): string[] =>
  modes[mode].tools.filter((name) => settings.get(`${name}.enabled`) && (name !== "bash" || tools.get(name)));

/**
 * Stops a sub-agent when the budget is used up, follows the mode of its parent, and asks for the report before its last
 * request.
 */
function limits({ spentUp, choice }: ChildNeeds, child: OpenHall, steps: number): Hook {
  let isLast = false;
  return {
    name: "sub-agent",
    step({ step }) {
      const message = spentUp();
      if (message !== undefined) return { do: "stop", message };
      const approval = approvalUnder(choice);
      if (approval !== child.hall.choice.approval) child.hall.choice.configure({ approval });
      isLast = step === steps - 1;
      if (isLast) child.hall.channel.record(reportNote(fill(last, { steps }), {}));
      return { do: "go" };
    },
    context: (request) => (isLast && request.purpose === "main" ? { ...request, calls: "none" } : request),
  };
}
