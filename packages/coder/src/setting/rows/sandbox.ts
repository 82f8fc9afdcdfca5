import type { Spec } from "../spec.ts";

/** Settings of the walls that commands run behind. */
export const sandboxSettings = {
  "sandbox.mode": {
    type: "choice",
    values: ["off", "workspace", "read-only"],
    default: undefined,
    // A project may only make it stricter.
    harmless: (value: unknown) => value === "read-only",
    tab: "safety",
    group: "Sandbox",
    about:
      "What commands of the model may write: everything (off), the project (workspace), nothing of it (read-only); unset is workspace, and off in the mode yolo.",
  },
  "sandbox.paths": {
    type: "text",
    default: undefined,
    tab: "safety",
    group: "Sandbox",
    about: "Other folders that commands behind the wall may write, one per line.",
  },
  "sandbox.domains": {
    type: "text",
    default: undefined,
    tab: "safety",
    group: "Sandbox",
    about:
      "Hosts that commands behind the wall may reach, one per line: example.com, *.example.com, example.com:8443; methods of plain HTTP may follow (GET,POST).",
  },
} as const satisfies Record<string, Spec>;
