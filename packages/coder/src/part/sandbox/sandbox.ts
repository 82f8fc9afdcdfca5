import { fill } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import fell from "./fell.md" with { type: "text" };
import type { LeftInTmp } from "./left.ts";
import refused from "./outside.md" with { type: "text" };

/** Waiting for the model is when it is tried if a sandbox works here. */
const tryAfterMs = 200;

const tmpName = "/tmp/";

interface Wanted {
  needs?: "write" | "network" | "outside";
  reason?: string;
}

const asks = { network: "asks for the network of this machine", outside: "asks to leave the sandbox" };
const places = { network: "With the network of this machine", outside: "Outside of the sandbox" };

type Needs =
  | "channel"
  | "choice"
  | "clock"
  | "cwd"
  | "grants"
  | "questions"
  | "rules"
  | "sandbox"
  | "scope"
  | "settings";

/**
 * The sandbox around commands: asks before one runs outside of it, knows what others may write meanwhile, and offers
 * ports of this machine that a command did not reach.
 */
export const sandbox: MakePart<Needs> = (hall) => {
  const { sandbox, channel, choice, clock, grants, scope, settings, rules } = hall;
  if (settings.get("sandbox.mode") === "off") return undefined;
  let trying: ReturnType<typeof setTimeout> | undefined;
  const refusedPorts = new Set<number>();
  let { signal } = new AbortController();
  let expected = false;
  let arriving = "";
  let left: LeftInTmp | undefined;
  let since = 0;
  const see = async (text: string) => {
    if (!text.includes(tmpName)) return;
    left ??= new (await import("./left.ts")).LeftInTmp();
    left.see(text);
  };
  return {
    name: "confine",
    step(turn) {
      signal = turn.signal;
      if (turn.step === 0) since = clock.now();
      if (expected && !sandbox.isExpected() && choice.approval !== "yolo")
        channel.record({ type: "custom_message", customType: "pith.note", content: fell.trim(), display: false });
      expected = sandbox.isExpected();
    },
    context(request) {
      trying ??= setTimeout(() => void sandbox.ready(), tryAfterMs);
      return request;
    },
    delta(events) {
      // What `/tmp` means is known once the sandbox was tried.
      for (const event of events) {
        if (event.type !== "args") continue;
        arriving = `${arriving.slice(-tmpName.length)}${event.delta}`;
        if (arriving.includes(tmpName)) return sandbox.ready().then(() => undefined);
      }
      return undefined;
    },
    async call({ tool, input, intent }) {
      const { needs, reason = "no reason was given" } = tool.name === "bash" ? (input as Wanted) : {};
      if (needs === undefined || needs === "write" || !sandbox.on() || choice.approval === "yolo")
        return { do: "allow" };
      const { outsideRule } = await import("../../policy/rule/outside.ts");
      const { outside } = await rules.calls();
      const rule = intent.judged && outsideRule(intent.judged.judgement, outside, tool.name);
      if (rule !== undefined) return { do: "allow", by: rule };
      const text = `bash ${asks[needs]}: ${reason}`;
      return { do: "ask", text, refusal: fill(refused, { place: places[needs] }).trim() };
    },
    async start({ input, intent }) {
      await see(JSON.stringify(input));
      const written = intent.paths.filter(({ effect }) => effect === "write").map(({ real }) => real);
      if (written.length > 0) sandbox.accept(written);
      if (!intent.confined) return;
      await grants.refresh();
      if (grants.all.length > 0) sandbox.letPorts((await localPorts()).grantedPorts(grants.all));
    },
    async result(view, outcome) {
      await see(outcome.text);
      return scope === "main" && view.intent.confined && outcome.failed
        ? (await import("./offer.ts")).offerPorts(hall, { view, outcome, refused: refusedPorts, signal })
        : undefined;
    },
    idle() {
      const text = left?.end(sandbox.tmp(), since);
      if (text !== undefined && scope === "main") channel.notify({ level: "info", text });
    },
    [Symbol.asyncDispose]: async () => clearTimeout(trying),
  };
};

const localPorts = () => import("./local-ports.ts");
