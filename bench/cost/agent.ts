// Lets pith, or pi, do a task against a served play, in a home and a project of its own.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scratch } from "../../packages/kit/src/test/index.ts";
import type { Vendor } from "./cache.ts";
import type { Play, Step } from "./play.ts";
import { layOut } from "./project.ts";
import { type Spent, serve, vendors } from "./run.ts";

export interface Agent {
  steps(play: Play): readonly Step[];
  /** Files below the home, and variables. */
  settings(base: string, vendor: Vendor): Readonly<Record<string, string>>;
  env(base: string): Readonly<Record<string, string>>;
  command(vendor: Vendor, prompt: string): string[];
}

export const pithAgent = (binary: string): Agent => ({
  steps: ({ pith }) => pith,
  settings: () => ({}),
  env: (base) => ({ ANTHROPIC_BASE_URL: base, OPENAI_BASE_URL: `${base}/v1` }),
  command: (vendor, prompt) => [binary, "-p", "--yolo", "--model", `${vendor}/${vendors[vendor].id}`, prompt],
});

/** The pi of a folder that npm installed, run by a Node that it takes. */
export const piAgent = (folder: string, node: string): Agent => ({
  steps: ({ pi }) => pi,
  settings(base, vendor) {
    const { api, id } = vendors[vendor];
    const address = vendor === "anthropic" ? base : `${base}/v1`;
    const models = [{ id, contextWindow: 200_000, maxTokens: 32_000 }];
    return {
      ".pi/agent/models.json": JSON.stringify({
        providers: { bench: { baseUrl: address, api, apiKey: "key-for-tests", models } },
      }),
      ".pi/agent/settings.json": JSON.stringify({ enableInstallTelemetry: false, defaultProjectTrust: "always" }),
    };
  },
  env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }),
  command: (vendor, prompt) => [
    ...[node, join(folder, "dist/cli.js"), "-p", "--model", `bench/${vendors[vendor].id}`],
    prompt,
  ],
});

/** Does a task. Throws unless it was done, within its requests, and each request was one that the vendor takes. */
export async function perform(agent: Agent, vendor: Vendor, play: Play): Promise<Spent[]> {
  const folder = scratch();
  try {
    const steps = agent.steps(play);
    using served = await serve(vendor, steps);
    const cwd = folder.at("work", "addresses");
    layOut(cwd);
    for (const [name, text] of Object.entries(agent.settings(served.base, vendor))) {
      mkdirSync(dirname(folder.at("home", name)), { recursive: true });
      writeFileSync(folder.at("home", name), text);
    }
    mkdirSync(folder.at("home"), { recursive: true });
    const { PATH = "", LANG = "C.UTF-8" } = process.env;
    const base = { HOME: folder.at("home"), PATH, LANG, NO_COLOR: "1", ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key };
    const child = Bun.spawn(agent.command(vendor, play.prompt), {
      cwd,
      env: Object.assign(base, agent.env(served.base)),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: 120_000,
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    const code = await child.exited;
    const problems = [
      ...(code === 0 ? [] : [`it ended with ${code}: ${out}${err}`]),
      ...served.refused,
      ...(served.spent.length === steps.length ? [] : [`${served.spent.length} requests instead of ${steps.length}`]),
      ...(Bun.spawnSync(["sh", "-c", play.check], { cwd, env: base }).success ? [] : ["the task was not done"]),
    ];
    if (problems.length > 0) throw new Error(`${play.prompt.slice(0, 40)}: ${problems.join("; ")}`);
    return served.spent;
  } finally {
    folder[Symbol.dispose]();
  }
}

const key = "key-for-tests";
