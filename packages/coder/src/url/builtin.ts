import type { Schemes } from "./handler.ts";

/** The schemes that are always there. */
export const builtinSchemes: Schemes = {
  handlers: {
    agent: async () => (await import("./agent.ts")).agent,
    artifact: async () => (await import("./artifact.ts")).artifact,
    conflict: async () => (await import("./conflict.ts")).conflict,
    history: async () => (await import("./history.ts")).historyOf(),
    local: async () => (await import("./local.ts")).local,
    memory: async () => (await import("./memory.ts")).memory,
    pith: async () => (await import("./pith.ts")).pith,
    rule: async () => (await import("./rule.ts")).rule,
    skill: async () => (await import("./skill.ts")).skill,
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
