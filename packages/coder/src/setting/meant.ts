import { nearest } from "@pith/kit";
import { renamedTo } from "./renamed.ts";
import type { SettingTable } from "./schema.ts";

const rules = "policy.rules holds such rules (pith help rules)";
const unused = "pith does not use this yet";

/** Names of other agents' settings whose values differ, with what there is instead. */
const elsewhere: Readonly<Record<string, string>> = {
  "permissions.defaultMode": "approval.mode",
  permissionMode: "approval.mode",
  approval_policy: "approval.mode",
  approvalMode: "approval.mode",
  "general.defaultApprovalMode": "approval.mode",
  "tools.approvalMode": "approval.mode",
  yolo: "approval.mode",
  sandbox_mode: "sandbox.mode",
  "sandbox.enabled": "sandbox.mode",
  "sandbox.network.allowedDomains": "sandbox.domains",
  "sandbox.filesystem.allowWrite": "sandbox.paths",
  "sandbox_workspace_write.writable_roots": "sandbox.paths",
  "permissions.additionalDirectories": "project.roots",
  additionalDirectories: "project.roots",
  model_reasoning_effort: "thinking",
  reasoning_effort: "thinking",
  effortLevel: "thinking",
  thinkingLevel: "thinking",
  small_model: "roles.smol",
  smallModel: "roles.smol",
  "modelRoles.smol": "roles.smol",
  "modelRoles.slow": "roles.slow",
  "modelRoles.plan": "roles.plan",
  "modelRoles.default": "model",
  defaultModel: "model",
  model_provider: "model, as vendor/model",
  defaultProvider: "model, as vendor/model",
  provider: "model, as vendor/model",
  "model.name": "model",
  maxTurns: "turns.max",
  max_turns: "turns.max",
  "model.maxSessionTurns": "turns.max",
  autoCompact: "compaction.enabled",
  autoCompactEnabled: "compaction.enabled",
  model_auto_compact_token_limit: "compaction.thresholdTokens",
  theme: "theme.dark and theme.light",
  "ui.theme": "theme.dark and theme.light",
  vimMode: "editor.vim",
  "general.vimMode": "editor.vim",
  editorMode: "editor.vim",
  "tui.vim_mode_default": "editor.vim",
  preferredNotifChannel: "notifications",
  "tui.notifications": "notifications",
  shellPath: "bash.path",
  showHardwareCursor: "the variable PITH_HARDWARE_CURSOR",
};

/** The same for groups: what stands for all that is in them. */
const groups: Readonly<Record<string, string>> = {
  permissions: rules,
  permission: rules,
  allowedTools: rules,
  disallowedTools: rules,
  hooks: unused,
  mcp: unused,
  mcpServers: unused,
  mcp_servers: unused,
  extensions: unused,
  apiKey: "pith auth add stores a key",
  apiKeys: "pith auth add stores a key",
  env: "pith reads variables from .env in its home",
};

/** Says what was probably meant by a name that is no setting; undefined when nothing is near. `node` is its value. */
export function meant(name: string, node: unknown, table: SettingTable): string | undefined {
  if (name.length > 100) return undefined;
  const now = renamedTo(name) ?? (Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined);
  if (now !== undefined) return `here it is ${now}`;
  const inside =
    node !== null && typeof node === "object" && !Array.isArray(node)
      ? Object.keys(node)
          .slice(0, 5)
          .map((key) => `${name}.${key}`)
      : [];
  for (const whole of inside) {
    const found = Object.hasOwn(elsewhere, whole) ? elsewhere[whole] : undefined;
    if (found !== undefined) return `${whole} is ${found} here`;
  }
  const [top = name] = name.split(".");
  const group = Object.hasOwn(groups, top) ? groups[top] : undefined;
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
