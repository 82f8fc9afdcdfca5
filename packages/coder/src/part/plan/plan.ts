import { sep } from "node:path";
import type { Hook } from "@pith/agent";
import { readWhole, writeWhole } from "@pith/host";
import { messageOf, realPath } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import { recordedPrompt } from "../../session/recorded.ts";
import { planCommand } from "./command.ts";
import { exitName, exitPlanMode, planAddress } from "./exit-plan-mode.ts";
import type { PlanData } from "./kinds.ts";
import over from "./over.md" with { type: "text" };
import entered from "./plan.md" with { type: "text" };

/** No link leads out of the folder that the plan stands in. */
const mayBePlan = (real: string): boolean => real.split(sep).includes("local");

const note = "pith.plan-mode";
const kept = "pith.plan";

type Needs = "choice" | "tools" | "tree" | "channel" | "questions" | "urls" | "settings" | "models" | "interrupt";

/**
 * Plan mode: the model looks and thinks, hands in a plan, and begins when the person approves it. What is forbidden is
 * denied by the guard of all calls; here are the words for the model, the way out, and the switch.
 */
export const plan: MakePart<Needs> = (hall) => {
  const { choice, tools, tree, channel, questions, urls } = hall;
  const planning = () => choice.approval === "plan";
  /** Loosening waits for the end of the step. */
  let leaving = false;
  /** The model of before, while another one plans. */
  let before: string | undefined;

  const offer = () => {
    if (!tools.get(exitName)) tools.add("pith", [tool]);
  };
  const enter = () => {
    leaving = false;
    offer();
    choice.configure({ approval: "plan" });
    if (hall.settings.get("roles.plan") !== undefined) void switchTo("plan");
    if (!channel.running) tell();
  };
  const leave = () => {
    leaving = true;
    if (!channel.running) settle();
  };
  const settle = () => {
    if (leaving && planning()) {
      choice.configure({ approval: choice.usual });
      if (before !== undefined) void switchTo(before);
    }
    leaving = false;
    tell();
  };
  const switchTo = async (name: string) => {
    const { vendor, id } = choice.model;
    const next = await choice.use(name);
    if (!next.ok) channel.notify({ level: "warn", text: next.message });
    else before = name === "plan" ? `${vendor}/${id}` : undefined;
  };
  /** The model knows in which mode it is: what the record tells it last is compared with what holds. */
  const tell = () => {
    const told = (tree.lastCustom(note)?.data as { mode?: unknown } | undefined)?.mode === "plan";
    if (told === planning()) return;
    if (planning()) offer();
    channel.recordAll([
      { type: "custom", customType: note, data: { mode: planning() ? "plan" : "none" } },
      { type: "custom_message", customType: note, content: (planning() ? entered : over).trim(), display: false },
    ]);
  };
  const show = (state: PlanData["state"], text: string) => {
    const shown = state !== "refused";
    channel.announce({
      type: "panel",
      key: "plan",
      ...(shown
        ? { panel: { slot: "above", kind: "plan", data: { plan: text, path: planAddress, state }, text } }
        : {}),
    });
  };
  const tool = exitPlanMode({
    planning,
    async keep(text) {
      const file = await urls.target(planAddress);
      return file.ok ? writeWhole(file.value, Buffer.from(text)) : file;
    },
    person: questions.asks === "nobody" ? undefined : (asked, signal) => questions.ask(asked, signal),
    usual: () => choice.usual,
    became(state, text) {
      channel.record({ type: "custom", customType: kept, data: { state } });
      show(state, text);
    },
    leave,
    stop: (reason) => void hall.interrupt(reason),
  });

  const hook: Hook = {
    name: "plan",
    step() {
      settle();
      return { do: "go" };
    },
    async call({ call, intent }) {
      const writes = intent.paths.filter(({ effect, real }) => effect === "write" && mayBePlan(real));
      if (call.name === exitName || writes.length === 0) return { do: "allow" };
      const file = await urls.target(planAddress);
      const own = file.ok ? realPath(file.value) : undefined;
      if (!writes.some(({ real }) => real === own)) return { do: "allow" };
      return { do: "deny", reason: `${planAddress} is written by ${exitName} alone.` };
    },
    idle: settle,
  };
  const current = async (): Promise<string | undefined> => {
    const file = await urls.resolve(planAddress, new AbortController().signal);
    if (!file.ok || file.value.file === undefined) return undefined;
    const read = readWhole(file.value.file);
    return read.ok ? read.value.bytes.toString() : undefined;
  };
  const stateKept = () => (tree.lastCustom(kept)?.data as { state?: PlanData["state"] } | undefined)?.state;
  const earlier = stateKept();
  /** A plan that nobody wants to see any more is no longer in view; its file stays. */
  const putAway = (): boolean => {
    const state = stateKept();
    if (channel.running || (state !== "proposed" && state !== "approved")) return false;
    channel.record({ type: "custom", customType: kept, data: { state: "away" } });
    channel.announce({ type: "panel", key: "plan" });
    return true;
  };
  if (planning()) channel.announce({ type: "status", key: "mode", text: "plan" });
  if (earlier === "proposed" || earlier === "approved")
    void current().then(
      (text) => text !== undefined && show(earlier, text),
      (error) => channel.notify({ level: "warn", text: messageOf(error) }),
    );
  return {
    name: "plan",
    // Once the model knows the way out it stays in its list, so that the list stays the same.
    tools: planning() || recordedPrompt(tree)?.tools.some(({ name }) => name === exitName) ? [tool] : [],
    hooks: [hook],
    keeps: {
      state: ["pith.mode", note, kept],
      async words() {
        const state = stateKept();
        const text = state === "proposed" || state === "approved" ? await current() : undefined;
        return text === undefined ? [] : [{ title: `The plan (${state})`, text }];
      },
    },
    commands: [planCommand({ planning, enter, leave, current, putAway, busy: () => channel.running })],
  };
};
