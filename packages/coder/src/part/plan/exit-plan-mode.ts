import { type Answer, type Outcome, refusal, schema as s, type Tool } from "@pith/agent";
import type { Result } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import about from "./exit-plan-mode.md" with { type: "text" };
import type { PlanData } from "./kinds.ts";

const input = s.object({ plan: s.string().min(1).describe("The whole plan, in Markdown") });
type Input = s.Infer<typeof input>;

export const planAddress = "local://plan.md";
export const exitName = "exit_plan_mode";

export interface ExitOptions extends Pick<Hall, "choice" | "questions" | "interrupt" | "sandbox"> {
  /** Writes the plan to its address. */
  keep(plan: string): Promise<Result<unknown, string>>;
  /** Records and shows the plan. */
  setState(state: PlanData["state"], plan: string): void;
  /** Ends plan mode with this step. */
  leave(): void;
}

/** The tool that writes the plan, and the model's only way out of plan mode. */
export function exitPlanMode(options: ExitOptions): Tool<Input> {
  return {
    name: exitName,
    told: "always",
    about,
    input,
    prepare({ plan }) {
      if (options.choice.approval !== "plan")
        return refusal("This is not plan mode: there is nothing to hand in. Do the work itself.");
      if (plan.trim() === "") return refusal("The plan is empty.");
      // The plan belongs to the session, like its record: no change of the project.
      return { effect: "read", paths: [], run: ({ id, signal }) => handIn(plan.trim(), id, signal, options) };
    },
  };
}

async function handIn(plan: string, id: string, signal: AbortSignal, options: ExitOptions): Promise<Outcome> {
  const kept = await options.keep(`${plan}\n`);
  if (!kept.ok) return refusal(`The plan could not be kept: ${kept.message}`);
  const outcome = (state: PlanData["state"], text: string): Outcome<"plan"> => {
    options.setState(state, plan);
    return { kind: "plan", data: { plan, path: planAddress, state }, text };
  };
  outcome("proposed", "");
  if (options.questions.asks === "nobody") return outcome("proposed", texts.nobody);
  // The mode that follows may depend on whether a sandbox works here.
  await options.sandbox.ready();
  const answer = await askPerson(plan, id, signal, options);
  if (!answer || signal.aborted || answer.by) return outcome("proposed", texts.open);
  if (answer.say === "yes" && answer.option === "approve") {
    options.leave();
    return outcome("approved", texts.approved);
  }
  if (answer.words)
    return outcome("refused", `The user wants the plan changed: ${answer.words}\nThis is still plan mode.`);
  void options.interrupt("The plan was not approved.");
  return outcome("refused", texts.refused);
}

/** Asks for approval; a person who wants to say what to change, and then does not, is asked again. */
async function askPerson(
  plan: string,
  about: string,
  signal: AbortSignal,
  { choice, questions }: ExitOptions,
): Promise<Answer | undefined> {
  const options = [
    { id: "approve", label: `Approve, and go on in ${choice.usual} mode` },
    { id: "keep", label: "Keep planning", about: "the turn ends, and you say more" },
    { id: "other", label: "Say what to change", about: "the model revises the plan" },
  ];
  for (;;) {
    const question = { about, form: "choose", text: "Approve this plan?", body: plan, options } as const;
    const answer = await questions.ask(question, signal);
    if (answer?.option !== "other" || answer.words) return answer;
    const change = await questions.ask({ about, form: "text", text: "What should be another way?" }, signal);
    if (!change || change.by || change.words) return change;
  }
}

const texts = {
  approved: `The user approved the plan; plan mode is over. Carry it out now. It is kept in ${planAddress}.`,
  refused: "The user did not approve the plan, and will say more. This is still plan mode.",
  open: "The question about the plan was not answered. This is still plan mode.",
  nobody: `Nobody can approve the plan here. It is kept in ${planAddress} for later: end your turn and sum it up.`,
};
