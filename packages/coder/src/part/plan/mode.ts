import { sep } from "node:path";
import type { Hook, Hooks } from "@pith/agent";
import { readWhole, writeWhole } from "@pith/host";
import { messageOf, realPath, recordOf } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import { type ExitOptions, exitName, exitPlanMode, planAddress } from "./exit-plan-mode.ts";
import type { PlanData } from "./kinds.ts";
import over from "./over.md" with { type: "text" };
import entered from "./plan.md" with { type: "text" };

export const noteEntry = "pith.plan-mode";
export const planEntry = "pith.plan";

export type PlanNeeds =
  | ("channel" | "choice" | "interrupt" | "models" | "questions" | "sandbox")
  | ("settings" | "tools" | "tree" | "urls");

/**
 * Plan mode: the model looks and thinks, hands in a plan, and begins when the user approves it. The guard of all calls
 * denies changes; this switches the mode and tells the model.
 */
export class PlanMode implements Hook {
  readonly name = "plan";
  readonly tool: ReturnType<typeof exitPlanMode>;
  readonly #hall: Pick<Hall, PlanNeeds>;
  /** True when the mode ends with the running step. */
  #isLeaving = false;
  /** The model to go back to, while the one of `roles.plan` is asked. */
  #modelBefore: string | undefined;

  constructor(hall: Pick<Hall, PlanNeeds>) {
    this.#hall = hall;
    const { choice, questions, interrupt, sandbox } = hall;
    const leave = () => this.leave();
    this.tool = exitPlanMode({
      choice,
      questions,
      interrupt,
      sandbox,
      leave,
      keep: this.#keep,
      setState: this.#setState,
    });
  }

  get isOn(): boolean {
    return this.#hall.choice.approval === "plan";
  }

  /** Shows the mode and the plan of a session that is opened again. */
  resume(): void {
    const { channel } = this.#hall;
    if (this.isOn) channel.announce({ type: "status", key: "mode", text: "plan" });
    const state = this.openState();
    if (state === undefined) return;
    const warn = (error: unknown) => channel.notify({ level: "warn", text: messageOf(error) });
    void this.plan().then((text) => text !== undefined && this.#show(state, text), warn);
  }

  enter(): void {
    const { choice, settings, channel } = this.#hall;
    this.#isLeaving = false;
    this.#offer();
    choice.configure({ approval: "plan" });
    if (settings.get("roles.plan") !== undefined) void this.#switchTo("plan");
    if (!channel.running) this.#tell();
  }

  leave(): void {
    this.#isLeaving = true;
    if (!this.#hall.channel.running) this.#settle();
  }

  #keep: ExitOptions["keep"] = async (plan) => {
    const file = await this.#hall.urls.target(planAddress);
    return file.ok ? writeWhole(file.value, Buffer.from(plan)) : file;
  };

  #setState: ExitOptions["setState"] = (state, plan) => {
    this.#hall.channel.record({ type: "custom", customType: planEntry, data: { state } });
    this.#show(state, plan);
  };

  /** The plan that was handed in last. */
  async plan(): Promise<string | undefined> {
    const file = await this.#hall.urls.resolve(planAddress, new AbortController().signal);
    if (!file.ok || file.value.file === undefined) return undefined;
    const read = readWhole(file.value.file);
    return read.ok ? read.value.bytes.toString() : undefined;
  }

  /** The state of a plan that was neither refused nor put away. */
  openState(): "proposed" | "approved" | undefined {
    const { state } = recordOf(this.#hall.tree.lastCustom(planEntry)?.data);
    return state === "proposed" || state === "approved" ? state : undefined;
  }

  /** Takes the plan out of view, and leaves its file; false if there is none in view. */
  putAway(): boolean {
    const { channel } = this.#hall;
    if (channel.running || this.openState() === undefined) return false;
    channel.record({ type: "custom", customType: planEntry, data: { state: "away" } });
    channel.announce({ type: "panel", key: "plan" });
    return true;
  }

  step: Hooks["step"] = () => {
    this.#settle();
    return { do: "go" };
  };

  call: Hooks["call"] = async ({ tool, intent }) => {
    const writes = intent.paths.filter(({ effect, real }) => effect === "write" && real.split(sep).includes("local"));
    if (tool.name === exitName || writes.length === 0) return { do: "allow" };
    const file = await this.#hall.urls.target(planAddress);
    const own = file.ok ? realPath(file.value) : undefined;
    if (!writes.some(({ real }) => real === own)) return { do: "allow" };
    return { do: "deny", reason: `${planAddress} is written by ${exitName} alone.` };
  };

  idle: Hooks["idle"] = () => this.#settle();

  /** Ends the mode if that was asked for, and tells the model of a change. */
  #settle(): void {
    const { choice } = this.#hall;
    if (this.#isLeaving && this.isOn) {
      choice.leavePlan();
      if (this.#modelBefore !== undefined) void this.#switchTo(this.#modelBefore);
    }
    this.#isLeaving = false;
    this.#tell();
  }

  async #switchTo(name: string): Promise<void> {
    const { choice, channel } = this.#hall;
    const { vendor, id } = choice.model;
    const next = await choice.use(name);
    if (!next.ok) channel.notify({ level: "warn", text: next.message });
    else this.#modelBefore = name === "plan" ? `${vendor}/${id}` : undefined;
  }

  #offer(): void {
    const { tools } = this.#hall;
    if (!tools.get(exitName)) tools.add("pith", [this.tool]);
  }

  /** Tells the model of the mode, unless the record says that it knows. */
  #tell(): void {
    const mode = this.isOn ? "plan" : "none";
    const { tree, channel } = this.#hall;
    if ((recordOf(tree.lastCustom(noteEntry)?.data).mode === "plan") === this.isOn) return;
    if (this.isOn) this.#offer();
    channel.recordAll([
      { type: "custom", customType: noteEntry, data: { mode } },
      { type: "custom_message", customType: noteEntry, content: (this.isOn ? entered : over).trim(), display: false },
    ]);
  }

  #show(state: PlanData["state"], plan: string): void {
    const data = { plan, path: planAddress, state };
    const panel = state === "refused" ? {} : { panel: { slot: "above", kind: "plan", data, text: plan } as const };
    this.#hall.channel.announce({ type: "panel", key: "plan", ...panel });
  }
}
