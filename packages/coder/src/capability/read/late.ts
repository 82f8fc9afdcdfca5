import { late } from "@pith/kit";
import type { Reader } from "../item.ts";
import type { CapabilityKind } from "../kind/kind.ts";

// Readers of what executes, opens or shows something, loaded by the first file of that sort: most starts find none.
function things() {
  const {
    serversIn,
    languagesIn,
    agentsIn,
    templatesIn,
    mcpServers,
    languageServers,
    permissions,
  }: typeof import("./things.ts") = require("./things.ts");
  const {
    opencodePermissions,
    tool,
    extension,
    extensionManifest,
    theme,
    sshHosts,
    sshConfig,
  }: typeof import("./things.ts") = require("./things.ts");
  return {
    serversIn,
    languagesIn,
    agentsIn,
    templatesIn,
    mcpServers,
    languageServers,
    permissions,
    opencodePermissions,
    tool,
    extension,
    extensionManifest,
    theme,
    sshHosts,
    sshConfig,
  };
}
function hooks() {
  const {
    claudeHooks,
    listedHooks,
    hookFile,
    ownHookFile,
    ownHooks,
  }: typeof import("./hooks.ts") = require("./hooks.ts");
  return { claudeHooks, listedHooks, hookFile, ownHookFile, ownHooks };
}

/** Makes a maker of readers that is loaded by the first text that one of them reads. */
const maker =
  <P, K extends CapabilityKind>(load: () => (pick: P) => Reader<K>) =>
  (pick: P): Reader<K> =>
    late(() => load()(pick));

export const serversIn = maker(() => things().serversIn);
export const languagesIn = maker(() => things().languagesIn);
export const agentsIn = maker(() => things().agentsIn);
export const templatesIn = maker(() => things().templatesIn);
export const mcpServers: Reader<"mcp"> = late(() => things().mcpServers);
export const languageServers: Reader<"lsp"> = late(() => things().languageServers);
export const permissions: Reader<"permission"> = late(() => things().permissions);
export const opencodePermissions: Reader<"permission"> = late(() => things().opencodePermissions);
export const tool: Reader<"tool"> = late(() => things().tool);
export const ownTool: Reader<"tool"> = late(() => {
  const { ownTool }: typeof import("./tools.ts") = require("./tools.ts");
  return ownTool;
});
export const extension: Reader<"extension"> = late(() => things().extension);
export const extensionManifest: Reader<"extension"> = late(() => things().extensionManifest);
export const theme: Reader<"theme"> = late(() => things().theme);
export const sshHosts: Reader<"ssh"> = late(() => things().sshHosts);
export const sshConfig: Reader<"ssh"> = late(() => things().sshConfig);
export const claudeHooks: Reader<"hook"> = late(() => hooks().claudeHooks);
export const listedHooks: Reader<"hook"> = late(() => hooks().listedHooks);
export const hookFile: Reader<"hook"> = late(() => hooks().hookFile);
export const ownHookFile: Reader<"hook"> = late(() => hooks().ownHookFile);
export const ownHooks: Reader<"hook"> = late(() => hooks().ownHooks);
