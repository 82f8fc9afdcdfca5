/** A page of help: text of its own, or a page of the documentation. */
type Page = { text(): Promise<{ default: string }> } | { docs: string };

/** The pages of `pith help <topic>`, in the order in which the first screen names them. */
export const topics = {
  models: { text: () => import("./models.md", { with: { type: "text" } }) },
  auth: { text: () => import("./auth.md", { with: { type: "text" } }) },
  usage: { text: () => import("./usage.md", { with: { type: "text" } }) },
  approval: { text: () => import("./approval.md", { with: { type: "text" } }) },
  trust: { text: () => import("./trust.md", { with: { type: "text" } }) },
  sessions: { text: () => import("./sessions.md", { with: { type: "text" } }) },
  session: { text: () => import("./session.md", { with: { type: "text" } }) },
  export: { text: () => import("./export.md", { with: { type: "text" } }) },
  faux: { text: () => import("./faux.md", { with: { type: "text" } }) },
  json: { text: () => import("./json.md", { with: { type: "text" } }) },
  acp: { text: () => import("./acp.md", { with: { type: "text" } }) },
  serve: { text: () => import("./serve.md", { with: { type: "text" } }) },
  tool: { text: () => import("./tool.md", { with: { type: "text" } }) },
  edit: { text: () => import("./edit.md", { with: { type: "text" } }) },
  undo: { text: () => import("./undo.md", { with: { type: "text" } }) },
  jobs: { text: () => import("./jobs.md", { with: { type: "text" } }) },
  config: { text: () => import("./config.md", { with: { type: "text" } }) },
  environment: { text: () => import("./environment.md", { with: { type: "text" } }) },
  "exit-codes": { text: () => import("./exit-codes.md", { with: { type: "text" } }) },
  options: { docs: "options.md" },
  commands: { docs: "commands.md" },
  setup: { text: () => import("./setup.md", { with: { type: "text" } }) },
  rules: { text: () => import("./rules.md", { with: { type: "text" } }) },
} as const satisfies Record<string, Page>;

export type Topic = keyof typeof topics;
export const topicNames = Object.keys(topics) as readonly Topic[];

export const isTopic = (name: string): name is Topic => Object.hasOwn(topics, name);
