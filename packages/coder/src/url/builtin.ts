import type { Schemes } from "./handler.ts";

/** Schemes that are always there. */
export const builtinSchemes: Schemes = {
  handlers: {
    agent: async () => (await import("./scheme/agent.ts")).agent,
    artifact: async () => (await import("./scheme/artifact.ts")).artifact,
    conflict: async () => (await import("./scheme/conflict.ts")).conflict,
    history: async () => (await import("./scheme/history.ts")).historyOf(),
    local: async () => (await import("./scheme/local.ts")).local,
    memory: async () => (await import("./scheme/memory.ts")).memory,
    pith: async () => (await import("./scheme/pith.ts")).pith,
    rule: async () => (await import("./scheme/rule.ts")).rule,
    skill: async () => (await import("./scheme/skill.ts")).skill,
  },
  aliases: { docs: "pith" },
  absent: {
    issue: "no issue tracker is connected",
    pr: "no code host is connected",
    mcp: "no MCP server is connected",
    vault: "no notes vault is configured",
    http: "there is no access to the web",
    https: "there is no access to the web",
  },
};
