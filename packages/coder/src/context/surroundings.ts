import { fill } from "@pith/kit";
import type { Choice } from "../model/choice.ts";
import type { SettingView } from "../setting/setting.ts";
import prose from "./sandboxed.md" with { type: "text" };
import { plain } from "./tree.ts";

interface Surroundings {
  asks: boolean;
  choice: Pick<Choice, "approval" | "isChosen">;
  sandbox: { isExpected(): boolean };
  scope: "main" | "child";
  settings: SettingView;
}

/** Tells where commands run, and who lets what run, as facts for the model. A sub-agent is told by its own prompt. */
export function surroundings({ asks, choice, sandbox, scope, settings }: Surroundings): {
  commands?: string;
  approval?: string;
} {
  if (scope === "child") return {};
  const isConfined = sandbox.isExpected();
  // That it becomes this one is known once the sandbox was tried.
  const mode = !choice.isChosen && isConfined ? "auto" : choice.approval;
  const who = asks ? "the user can be asked" : "nobody can be asked";
  return {
    commands: isConfined ? sandboxed(settings, asks) : "without a sandbox",
    approval: mode === "yolo" ? mode : `${mode}; ${who}`,
  };
}

function sandboxed(settings: SettingView, asks: boolean): string {
  const hosts = (settings.get("sandbox.domains") ?? "").split("\n").flatMap((line) => line.trim().split(" ")[0] || []);
  const named = hosts.slice(0, mostHosts).map((host) => plain(host, 60));
  const list = [...named, ...(hosts.length > mostHosts ? ["others"] : [])].join(", ");
  const other = asks ? "ask the user before they reach a host" : "reach no network";
  const reach = list === "" ? other : asks ? `reach ${list}; they ${other}` : `reach only ${list}`;
  const writes = settings.get("sandbox.mode") === "read-only" ? "only /tmp" : "the project and /tmp";
  return fill(prose, { writes, reach }).trim();
}

const mostHosts = 4;
