import type { MakePart } from "../../hall/part.ts";
import type { Elsewhere, ElsewhereOptions, Terminals } from "../../shell/client-terminal.ts";
import { shellKeeper } from "../../shell/resume.ts";
import { bash } from "./bash/bash.ts";
import { defaultRules, readRules } from "./bash/intercept-rules.ts";
import { job } from "./job/job.ts";

/** The shell of the session, and the tool for what it runs in the background. */
export const shell: MakePart<
  | "settings"
  | "files"
  | "shell"
  | "snapshots"
  | "choice"
  | "agent"
  | "env"
  | "face"
  | "clock"
  | "channel"
  | "tools"
  | "tree"
  | "cwd"
  | "confinement"
  | "keys"
  | "terminals"
> = (hall) => {
  const { settings, files, shell, snapshots, choice, agent, env, face, clock, channel, tools, tree, cwd } = hall;
  const { confinement, keys, terminals } = hall;
  const keeper = shellKeeper(shell.shell, { tree, cwd, record: (draft) => void channel.record(draft) });
  const { rules, problems } = readRules(settings.get("bashInterceptor.rules") ?? "");
  for (const text of problems) channel.notify({ level: "warn", text });
  const background = settings.get("bash.autoBackground.enabled");
  const made = [
    settings.get("bash.enabled") &&
      bash({
        ...shell,
        elsewhere:
          terminals &&
          awayIn(terminals, {
            program: settings.get("bash.path") ?? "bash",
            hidden: Object.keys(keys),
            shell: shell.shell,
          }),
        files,
        owner: agent,
        timeout: settings.get("bash.timeout"),
        pipes: settings.get("bash.stripTrailingHeadTail") ? "strip" : "keep",
        rules: settings.get("bashInterceptor.enabled") ? [...rules, ...defaultRules] : [],
        has: (name) => tools.get(name) !== undefined,
        confinement: settings.get("sandbox.mode") === "off" ? undefined : confinement,
        backgroundMs: background ? settings.get("bash.autoBackground.thresholdMs") : undefined,
        face: env.PITH_NO_PTY === "1" ? undefined : face,
        patch: {
          snapshots,
          apply: settings.get("edit.apply"),
          finalNewline: settings.get("edit.finalNewline"),
          generated: settings.get("edit.generated"),
          check: settings.get("edit.check"),
          tags: choice.dialect === "hashline" ? "shown" : "left out",
        },
      }),
    settings.get("job.enabled") &&
      job({ jobs: shell.jobs, owner: agent, wait: settings.get("async.pollWaitDuration"), now: () => clock.now() }),
  ];
  return {
    name: "shell",
    tools: made.filter((tool) => tool !== false),
    hooks: [keeper],
    keeps: { state: ["pith.shell"] },
    // What people ran since the last turn counts too.
    [Symbol.asyncDispose]: async () => keeper.keep(),
  };
};

/** Few have terminals of somebody else. */
const awayIn = (terminals: Terminals, options: ElsewhereOptions): Elsewhere => ({
  async start(command) {
    const { elsewhere } = await import("../../shell/client-terminal.ts");
    return elsewhere(terminals, options).start(command);
  },
});
