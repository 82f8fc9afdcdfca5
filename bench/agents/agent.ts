// How each agent is started for one prompt against a scripted server: settings in a home of its own, nothing asked,
// no telemetry, no look for updates.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Place {
  home: string;
  project: string;
  /** Address of the scripted server. */
  base: string;
}

export interface Agent {
  /** Package of the npm registry that brings it. */
  npm: string;
  /** Program below the folder that npm installed it into; run by Node where it ends in `.js`, by Bun where `bun` says so. */
  program: string;
  by?: "node" | "bun";
  settings(place: Place): Record<string, unknown>;
  env(place: Place): Record<string, string>;
  args(prompt: string): string[];
}

const model = "bench-model";

export const agents: Record<string, Agent> = {
  "oh-my-pi": {
    npm: "@oh-my-pi/pi-coding-agent",
    program: "@oh-my-pi/pi-coding-agent/dist/cli.js",
    by: "bun",
    settings: ({ base }) => ({
      ".omp/agent/models.yml": { providers: { bench: chat(base) } },
      ".omp/agent/config.yml": {
        setupVersion: 999,
        modelRoles: { default: `bench/${model}`, smol: `bench/${model}` },
        startup: { checkUpdate: false },
      },
    }),
    env: () => ({}),
    args: (prompt) => ["-p", "--model", `bench/${model}`, "--auto-approve", prompt],
  },
  pi: {
    npm: "@earendil-works/pi-coding-agent",
    program: "@earendil-works/pi-coding-agent/dist/cli.js",
    by: "node",
    settings: ({ base }) => ({
      ".pi/agent/models.json": { providers: { bench: chat(base) } },
      ".pi/agent/settings.json": { enableInstallTelemetry: false, defaultProjectTrust: "always" },
    }),
    env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }),
    args: (prompt) => ["-p", "--model", `bench/${model}`, prompt],
  },
  opencode: {
    npm: "opencode-ai",
    program: "opencode-linux-x64/bin/opencode",
    settings: ({ base }) => ({
      ".config/opencode/opencode.json": {
        autoupdate: false,
        share: "disabled",
        model: `bench/${model}`,
        small_model: `bench/${model}`,
        permission: "allow",
        enabled_providers: ["bench"],
        provider: {
          bench: {
            npm: "@ai-sdk/openai-compatible",
            name: "bench",
            options: { baseURL: `${base}/v1`, apiKey: "bench" },
            models: { [model]: { name: model, tool_call: true, limit: { context: 200_000, output: 32_000 } } },
          },
        },
      },
    }),
    env: () => ({
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_SHARE: "1",
    }),
    args: (prompt) => ["run", "-m", `bench/${model}`, prompt],
  },
  Codex: {
    npm: "@openai/codex",
    program: "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    settings: ({ base, project }) => ({
      ".codex/config.toml": `model = "gpt-5.5"
model_provider = "bench"
check_for_update_on_startup = false
[model_providers.bench]
name = "bench"
base_url = "${base}/v1"
env_key = "BENCH_KEY"
wire_api = "responses"
[analytics]
enabled = false
[projects."${project}"]
trust_level = "trusted"
`,
    }),
    env: () => ({ BENCH_KEY: "bench" }),
    args: (prompt) => ["exec", "--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check", prompt],
  },
  "Claude Code": {
    npm: "@anthropic-ai/claude-code",
    program: "@anthropic-ai/claude-code-linux-x64/claude",
    settings: ({ project }) => ({
      ".claude.json": {
        hasCompletedOnboarding: true,
        bypassPermissionsModeAccepted: true,
        customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
        projects: { [project]: { hasTrustDialogAccepted: true } },
      },
    }),
    env: ({ base }) => ({
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_MODEL: "claude-sonnet-4-5",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      IS_SANDBOX: "1",
    }),
    args: (prompt) => ["-p", "--dangerously-skip-permissions", prompt],
  },
  "Gemini CLI": {
    npm: "@google/gemini-cli",
    program: "@google/gemini-cli/bundle/gemini.js",
    by: "node",
    settings: () => ({
      ".gemini/settings.json": {
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        ide: { enabled: false, hasSeenNudge: true },
      },
    }),
    env: ({ base }) => ({ GEMINI_API_KEY: "bench", GOOGLE_GEMINI_BASE_URL: base, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    args: (prompt) => ["--yolo", "--skip-trust", "-m", "gemini-2.5-flash", "-p", prompt],
  },
};

const key = "bench-key-000000000000000000000000";

const chat = (base: string) => ({
  baseUrl: `${base}/v1`,
  api: "openai-completions",
  apiKey: "bench",
  models: [{ id: model, name: model, contextWindow: 200_000, maxTokens: 32_000 }],
});

/** Writes the settings of an agent; what is no text is JSON, which YAML readers take as well. */
export function prepare(agent: Agent, place: Place): void {
  for (const [name, content] of Object.entries(agent.settings(place))) {
    const file = join(place.home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
}
