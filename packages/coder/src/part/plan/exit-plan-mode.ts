import { type Answer, type Outcome, type QuestionDraft, refusal, schema as s, type Tool } from "@pith/agent";
import type { Result } from "@pith/kit";
import about from "./exit-plan-mode.md" with { type: "text" };
import type { PlanData } from "./kinds.ts";

const input = s.object({ plan: s.string().min(1).describe("The whole plan, in Markdown") });
type Input = s.Infer<typeof input>;

export const planAddress = "local://plan.md";
export const exitName = "exit_plan_mode";

export interface ExitOptions {
  /** Whether plan mode is on. */
  planning(): boolean;
  /** Keeps the plan under its address. */
  keep(plan: string): Promise<Result<unknown, string>>;
  /** Undefined where nobody can be asked. */
  person: ((asked: QuestionDraft, signal: AbortSignal) => Promise<Answer | undefined>) | undefined;
  /** How calls are judged outside of plan mode. */
  usual(): string;
  /** What became of it, for those who show it. */
  became(state: PlanData["state"], plan: string): void;
  /** Plan mode ends with this step. */
  leave(): void;
  /** The person wants to say something first: the turn ends. */
  stop(reason: string): void;
}

/** The one way to write the plan, and the model's only way out of plan mode. */
export function exitPlanMode(options: ExitOptions): Tool<Input> {
  return {
    name: exitName,
    told: "always",
    about,
    input,
    prepare({ plan }) {
      if (!options.planning())
        return refusal("This is not plan mode: there is nothing to hand in. Do the work itself.");
      if (plan.trim() === "") return refusal("The plan is empty.");
      // What it writes is the session's own, like its record.
      return { effect: "read", paths: [], run: ({ id, signal }) => handIn(plan.trim(), id, signal, options) };
    },
  };
}

async function handIn(plan: string, id: string, signal: AbortSignal, options: ExitOptions): Promise<Outcome> {
  const kept = await options.keep(`${plan}\n`);
  if (!kept.ok) return refusal(`The plan could not be kept: ${kept.message}`);
  const outcome = (state: PlanData["state"], text: string): Outcome<"plan"> => {
    options.became(state, plan);
    return { kind: "plan", data: { plan, path: planAddress, state }, text };
  };
  outcome("proposed", "");
  if (!options.person) return outcome("proposed", texts.nobody);
  const answer = await judged(plan, id, signal, options.person, options.usual());
  if (!answer || signal.aborted || answer.by) return outcome("proposed", texts.open);
  if (answer.say === "yes" && answer.option === "approve") {
    options.leave();
    return outcome("approved", texts.approved);
  }
  if (answer.words)
    return outcome("refused", `The user wants the plan changed: ${answer.words}\nThis is still plan mode.`);
  options.stop("The plan was not approved.");
  return outcome("refused", texts.refused);
}

/** Who wants to say what to change is asked for it, and may take that back. */
async function judged(
  plan: string,
  about: string,
  signal: AbortSignal,
  person: NonNullable<ExitOptions["person"]>,
  usual: string,
): Promise<Answer | undefined> {
  for (;;) {
    const choice: QuestionDraft = {
      about,
      form: "choose",
      text: "Approve this plan?",
      body: plan,
      options: ways(usual),
    };
    const answer = await person(choice, signal);
    if (answer?.option !== "other" || answer.words) return answer;
    const said = await person({ about, form: "text", text: "What should be another way?" }, signal);
    if (!said || said.by || said.words) return said;
  }
}

const ways = (usual: string) => [
  { id: "approve", label: `Approve, and go on in ${usual} mode` },
  { id: "keep", label: "Keep planning", about: "the turn ends, and you say more" },
  { id: "other", label: "Say what to change", about: "the model plans again" },
];

const texts = {
  approved: `The user approved the plan; plan mode is over. Carry it out now. It is kept in ${planAddress}.`,
  refused: "The user did not approve the plan, and will say more. This is still plan mode.",
  open: "The question about the plan was not answered. This is still plan mode.",
  nobody: `Nobody can approve the plan here. It is kept in ${planAddress} for later: end your turn and sum it up.`,
};
