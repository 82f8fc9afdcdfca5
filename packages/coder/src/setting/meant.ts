import { nearest } from "@pith/kit";
import { renamedTo } from "./renamed.ts";
import type { SettingTable } from "./schema.ts";

/** Names of other agents' settings whose values differ, by what there is instead. */
const elsewhere = byName({
  "approval.mode":
    "permissions.defaultMode permissionMode approval_policy approvalMode general.defaultApprovalMode tools.approvalMode yolo",
  "sandbox.mode": "sandbox_mode sandbox.enabled",
  "sandbox.domains": "sandbox.network.allowedDomains",
  "sandbox.paths": "sandbox.filesystem.allowWrite sandbox_workspace_write.writable_roots",
  "project.roots": "permissions.additionalDirectories additionalDirectories",
  thinking: "model_reasoning_effort reasoning_effort effortLevel thinkingLevel",
  "roles.smol": "small_model smallModel modelRoles.smol",
  "roles.slow": "modelRoles.slow",
  "roles.plan": "modelRoles.plan",
  model: "modelRoles.default defaultModel model.name",
  "model, as vendor/model": "model_provider defaultProvider provider",
  "turns.max": "maxTurns max_turns model.maxSessionTurns",
  "compaction.enabled": "autoCompact autoCompactEnabled",
  "compaction.thresholdTokens": "model_auto_compact_token_limit",
  "theme.dark and theme.light": "theme ui.theme",
  "editor.vim": "vimMode general.vimMode editorMode tui.vim_mode_default",
  notifications: "preferredNotifChannel tui.notifications",
  "bash.path": "shellPath",
  "the variable PITH_HARDWARE_CURSOR": "showHardwareCursor",
});

/** The same for groups: what stands for all that is in them. */
const groups = byName({
  "policy.rules holds such rules (pith help rules)": "permissions permission allowedTools disallowedTools",
  "pith does not use this yet": "hooks mcp mcpServers mcp_servers extensions",
  "pith auth add stores a key": "apiKey apiKeys",
  "pith reads variables from .env in its home": "env",
});

function byName(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).flatMap(([meant, all]) => all.split(" ").map((name) => [name, meant])));
}

/** Says what was probably meant by a name that is no setting; undefined when nothing is near. `node` is its value. */
export function meant(name: string, node: unknown, table: SettingTable): string | undefined {
  if (name.length > 100) return undefined;
  const now = renamedTo(name) ?? elsewhere.get(name);
  if (now !== undefined) return `here it is ${now}`;
  const inside =
    node !== null && typeof node === "object" && !Array.isArray(node)
      ? Object.keys(node)
          .slice(0, 5)
          .map((key) => `${name}.${key}`)
      : [];
  for (const whole of inside) {
    const found = elsewhere.get(whole);
    if (found !== undefined) return `${whole} is ${found} here`;
  }
  const [top = name] = name.split(".");
  const group = groups.get(top);
  if (group !== undefined) return group;
  const near = nearest(name, table.keys);
  if (near !== undefined) return `did you mean ${near}?`;
  for (const whole of inside) {
    const key = nearest(whole, table.keys);
    if (key !== undefined) return `did you mean ${key}?`;
  }
  const groupName = nearest(name, [...table.groups].filter(Boolean));
  return groupName === undefined ? undefined : `did you mean the group ${groupName}?`;
}
