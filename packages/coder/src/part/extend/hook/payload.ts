import type { CallView } from "@pith/agent";
import type { Hall } from "../../../hall/hall.ts";
import type { Approval } from "../../../policy/approval.ts";

export type PayloadNeeds = Pick<Hall, "header" | "journal" | "cwd" | "choice" | "agent" | "scope">;

/** The modes of approval in the words of Claude Code. */
const modes: Readonly<Record<Approval, string>> = {
  ask: "default",
  write: "acceptEdits",
  auto: "default",
  yolo: "bypassPermissions",
  plan: "plan",
};

/** The fields that every event of Claude Code has. */
export const claudeBase = (hall: PayloadNeeds, event: string): Record<string, unknown> => ({
  session_id: hall.header.id,
  transcript_path: hall.journal.file ?? "",
  cwd: hall.cwd,
  permission_mode: modes[hall.choice.approval],
  hook_event_name: event,
  ...(hall.scope === "child" && { agent_id: hall.agent, agent_type: hall.agent }),
});

export const ownBase = (
  { header, journal, cwd, choice, agent }: PayloadNeeds,
  on: string,
): Record<string, unknown> => ({
  on,
  session: header.id,
  file: journal.file,
  cwd,
  approval: choice.approval,
  agent,
});

/** A call in pith's own words. */
export function ownCall({ call, tool, input, intent }: CallView): Record<string, unknown> {
  const of = (wanted: string) => intent.paths.flatMap(({ effect, real }) => (effect === wanted ? [real] : []));
  return {
    id: call.id,
    tool: tool.name,
    input,
    effect: intent.effect,
    read: of("read"),
    write: of("write"),
    command: intent.command,
    hosts: intent.hosts,
  };
}
