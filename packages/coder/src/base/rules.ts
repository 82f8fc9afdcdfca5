import { realPath } from "@pith/kit";
import type { MakePart } from "../hall/part.ts";
import { PolicyRules } from "../policy/rule/policy-rules.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    /** The rules of the settings, compiled once. */
    rules: PolicyRules;
  }
}

/** The rules that calls, files and the sandbox go by. */
export const policyRules: MakePart<"cwd" | "roots" | "userHome" | "settings", "rules"> = (hall) => {
  const { cwd, roots, userHome, settings } = hall;
  const bases = { roots: [cwd, ...roots].map(realPath), home: realPath(userHome) };
  return { name: "rules", owns: { rules: new PolicyRules(settings, bases) } };
};
