import { fill } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import refused from "./outside.md" with { type: "text" };

/** Waiting for the model is when it is tried if a sandbox works here. */
const tryAfterMs = 200;

interface Wanted {
  needs?: "write" | "network" | "outside";
  reason?: string;
}

const places = { network: "with the network of this machine", outside: "outside of the sandbox" };

type Needs = "choice" | "rules" | "sandbox" | "settings";

/** The sandbox around commands: asks before one runs outside of it, and knows what others may write meanwhile. */
export const sandbox: MakePart<Needs> = (hall) => {
  const { sandbox, choice, settings, rules } = hall;
  if (settings.get("sandbox.mode") === "off") return undefined;
  let trying: ReturnType<typeof setTimeout> | undefined;
  return {
    name: "confine",
    context(request) {
      trying ??= setTimeout(() => void sandbox.ready(), tryAfterMs);
      return request;
    },
    async call({ tool, input, intent }) {
      const { needs, reason = "no reason was given" } = tool.name === "bash" ? (input as Wanted) : {};
      if (needs === undefined || needs === "write" || !sandbox.on() || choice.approval === "yolo")
        return { do: "allow" };
      const { outsideRule } = await import("../../policy/rule/outside.ts");
      const { outside } = await rules.calls();
      const rule = intent.judged && outsideRule(intent.judged.judgement, outside, tool.name);
      if (rule !== undefined) return { do: "allow", by: rule };
      const text = `bash runs a command ${places[needs]}, because: ${reason}`;
      return { do: "ask", text, refusal: fill(refused, { place: places[needs], why: reason }).trim() };
    },
    start({ intent }) {
      const written = intent.paths.filter(({ effect }) => effect === "write").map(({ real }) => real);
      if (written.length > 0) sandbox.accept(written);
    },
    [Symbol.asyncDispose]: async () => clearTimeout(trying),
  };
};
