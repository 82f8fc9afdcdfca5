import { mkdirSync } from "node:fs";
import { Capabilities } from "../capability/registry.ts";
import { sources } from "../capability/sources.ts";
import type { TrustItem, TrustState } from "../policy/trust/trust.ts";

export const md = (fields: string, body = "Do it.") => `---\n${fields}\n---\n${body}\n`;
export const skill = (name: string) => md(`name: ${name}\ndescription: about ${name}`);
export const servers = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: "run", args: ["x"] } } });
export interface Trusting {
  ask(item: TrustItem, bytes: string | Uint8Array): TrustState;
}
export const nobody: Trusting = { ask: () => ({ is: "untrusted" }) };

/** All that is found in a folder with a user and their work. */
export function found(
  at: { write(files: Record<string, string>): void; at(...names: string[]): string },
  cwd = "work",
  trust: Trusting = nobody,
) {
  mkdirSync(at.at(cwd), { recursive: true });
  const env = { COPILOT_CUSTOM_INSTRUCTIONS_DIRS: "~/team, ~/gone" };
  const place = { cwd: at.at(cwd), root: at.at("work"), home: at.at("home/.pith"), userHome: at.at("home"), env };
  const capabilities = new Capabilities({ place, trust });
  capabilities.add(...sources);
  return capabilities;
}
